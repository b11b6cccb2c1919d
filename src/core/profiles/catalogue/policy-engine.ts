/**
 * What the enterprise policy `Preferences` takes, and passes over without a word to the person where it does not: `allowedPrefixes`,
 * `allowedSecurityPrefs` and `blockedPrefs` of browser/modules/policies/Policies.sys.mjs as it lies in the omni.ja of Firefox ESR 153.7;
 * ESR 140.12 has the same but one (`security.storage.encryption.sqlite.enabled`).
 */
const PREFIXES: readonly string[] = [
  'accessibility.',
  'alerts.',
  'app.update.',
  'browser.',
  'datareporting.policy.',
  'devtools.',
  'dom.',
  'extensions.',
  'general.autoScroll',
  'general.smoothScroll',
  'geo.',
  'gfx.',
  'identity.fxaccounts.toolbar.',
  'intl.',
  'keyword.enabled',
  'layers.',
  'layout.',
  'mathml.disabled',
  'media.',
  'network.',
  'pdfjs.',
  'places.',
  'pref.',
  'print.',
  'privacy.baselineFingerprintingProtection',
  'privacy.fingerprintingProtection',
  'privacy.globalprivacycontrol.enabled',
  'privacy.userContext.enabled',
  'privacy.userContext.ui.enabled',
  'sidebar.',
  'signon.',
  'spellchecker.',
  'svg.context-properties.content.enabled',
  'svg.disabled',
  'toolkit.legacyUserProfileCustomizations.stylesheets',
  'ui.',
  'webgl.disabled',
  'webgl.force-enabled',
  'widget.',
  'xpinstall.enabled',
  'xpinstall.whitelist.required',
];

const SECURITY_NAMES: ReadonlySet<string> = new Set([
  'security.block_fileuri_script_with_wrong_mime',
  'security.csp.reporting.enabled',
  'security.default_personal_cert',
  'security.disable_button.openCertManager',
  'security.disable_button.openDeviceManager',
  'security.insecure_connection_text.enabled',
  'security.insecure_connection_text.pbmode.enabled',
  'security.mixed_content.block_active_content',
  'security.mixed_content.block_display_content',
  'security.mixed_content.upgrade_display_content',
  'security.osclientcerts.autoload',
  'security.OCSP.enabled',
  'security.OCSP.require',
  'security.pki.certificate_transparency.disable_for_hosts',
  'security.pki.certificate_transparency.disable_for_spki_hashes',
  'security.pki.certificate_transparency.mode',
  'security.ssl.enable_ocsp_stapling',
  'security.ssl.errorReporting.enabled',
  'security.ssl.require_safe_negotiation',
  'security.storage.encryption.sqlite.enabled',
  'security.tls.enable_0rtt_data',
  'security.tls.hello_downgrade_check',
  'security.tls.version.enable-deprecated',
  'security.warn_submit_secure_to_insecure',
  'security.webauthn.always_allow_direct_attestation',
]);

const BLOCKED: ReadonlySet<string> = new Set([
  'app.update.channel',
  'app.update.lastUpdateTime',
  'app.update.migrated',
  'browser.vpn_promo.disallowed_regions',
]);

/** Whether a policy may set the preference. `xpinstall.signatures.required`, which only builds without required signatures take, is left out. */
export function policyTakes(preference: string): boolean {
  if (BLOCKED.has(preference)) return false;
  if (preference.startsWith('security.')) return SECURITY_NAMES.has(preference);
  return PREFIXES.some((prefix) => preference.startsWith(prefix));
}
