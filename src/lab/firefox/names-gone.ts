/**
 * Preferences that had a default value in Firefox ESR 140.12.0 and of which ESR 153.8.0 has no trace, both for Linux. Read out of the
 * two builds by `node src/tools/read-tweak-lists.mjs`: do not edit.
 */
const NAMES = `
accessibility.windows.suppress-after-clipboard-copy accessibility.windows.suppress-for-snap-layout apz.android.chrome_fling_physics.friction
apz.android.chrome_fling_physics.inflexion apz.android.chrome_fling_physics.stop_threshold apz.mac.enable_double_tap_zoom_touchpad_gesture
apz.scrollbarbuttonrepeat.enabled apz.windows.check_for_pan_gesture_conversion apz.windows.force_disable_direct_manipulation
apz.windows.use_direct_manipulation browser.contentblocking.report.proxy.enabled browser.crashReports.crashPull browser.display.use_system_colors
browser.display.windows.non_native_menus browser.firefox-view.max-history-rows browser.firefox-view.view-count browser.menu.showCharacterEncoding
browser.privatebrowsing.felt-privacy-v1 browser.privatebrowsing.vpnpromourl browser.tabs.context.close-duplicate.enabled
browser.tabs.documentchannel.parent-controlled browser.tabs.secondaryTextUnsupportedLocales browser.translations.newSettingsUI.enable
content.notify.backoffcount content.notify.interval content.notify.ontimer cookiebanners.ui.desktop.cfrVariant devtools.debugger.log.verbose
devtools.inspector.remote devtools.netmonitor.response.ui.limit devtools.webconsole.groupWarningMessages docshell.shistory.testing.bfevict
dom.arena_allocator.enabled dom.block_external_protocol_navigation_from_sandbox dom.cookieStore.extra.enabled dom.cookieStore.manager.enabled
dom.customHighlightAPI.enabled dom.disable_tab_focus_to_root_element dom.element.invokers.enabled dom.event.wheel-event-groups.enabled
dom.events.asyncClipboard.clipboardItem dom.events.asyncClipboard.readText dom.events.script_execute.enabled dom.hidden_until_found.enabled
dom.image-lazy-loading.root-margin.bottom dom.image-lazy-loading.root-margin.bottom.percentage dom.image-lazy-loading.root-margin.left
dom.image-lazy-loading.root-margin.left.percentage dom.image-lazy-loading.root-margin.right dom.image-lazy-loading.root-margin.right.percentage
dom.image-lazy-loading.root-margin.top dom.image-lazy-loading.root-margin.top.percentage dom.ipc.processPrelaunch.startupDelayMs
dom.keyboardevent.dispatch_during_composition dom.keyboardevent.init_key_event.enabled dom.keyboardevent.init_key_event.enabled_in_addons
dom.mutation_events.enabled dom.mutation_events.forceEnable dom.script_loader.navigation_cache
dom.security.credentialmanagement.identity.heavyweight.enabled dom.security.credentialmanagement.identity.lightweight.enabled
dom.security.enforceIPCBasedPrincipalVetting dom.security.sanitizer.logging dom.security.setdocumenturi
dom.shadowdom.selection_across_boundary.enabled dom.storage_access.forward_declared.enabled dom.storage_access.forward_declared.lifetime
dom.svg.pathSegment.enabled dom.text_fragments.create_text_fragment.enabled dom.viewTransitions.wr-old-capture
dom.w3c_pointer_events.getcoalescedevents_only_in_securecontext dom.webgpu.workers.enabled dom.workers.importScripts.enforceStrictMimeType
dom.workers.timeoutmanager editor.white_space_normalization.blink_compatible extensions.InstallTriggerImpl.enabled
extensions.formautofill.creditCards.heuristics.fathom.highConfidenceThreshold extensions.manifestV3.enabled extensions.pocket.api
extensions.pocket.bffApi extensions.pocket.bffRecentSaves extensions.pocket.enabled extensions.pocket.loggedOutVariant
extensions.pocket.oAuthConsumerKey extensions.pocket.oAuthConsumerKeyBff extensions.pocket.refresh.emailButton.enabled
extensions.pocket.refresh.hideRecentSaves.enabled extensions.pocket.showHome extensions.pocket.site extensions.userScripts.mv3.enabled
extensions.webcompat.useScriptingAPI fission.disableSessionHistoryInParent gfx.android.rgb16.force gfx.canvas.remote.allow-in-parent
gfx.canvas.remote.use-draw-image-fast-path-d3d gfx.canvas.remote.worker-threads gfx.compositor.gpu-migration gfx.core-animation.tint-opaque
gfx.direct2d.disabled gfx.direct2d.force-enabled gfx.direct2d.target-independent-rasterization.disabled gfx.direct3d11.allow-keyed-mutex
gfx.direct3d11.break-on-error gfx.direct3d11.enable-debug-layer gfx.direct3d11.reuse-decoder-device
gfx.direct3d11.reuse-decoder-device-force-enabled gfx.direct3d11.sleep-on-create-device gfx.direct3d11.use-double-buffering
gfx.use-iosurface-textures gfx.use-mutex-on-present gfx.use-surfacetexture-textures gfx.wayland.hdr gfx.webrender.enable-item-cache
gfx.webrender.software.d3d11 gfx.webrender.software.d3d11.upload-mode gfx.will-change.ignore-opacity gl.allow-high-power
gl.ignore-dx-interop2-blacklist identity.fxaccounts.migrateToDevEdition identity.fxaccounts.oauth.enabled image.avif.enabled
intl.icu4x.segmenter.enabled intl.menuitems.alwaysappendaccesskeys intl.menuitems.insertseparatorbeforeaccesskeys layers.d3d11.enable-blacklist
layers.gpu-process.allow-software layers.iosurfaceimage.recycle-limit layout.display_partial_background_images
layout.scroll.disable-pixel-alignment mathml.centered_operators.disabled mathml.stixgeneral_operator_stretching.disabled
mathml.top_bottom_spacing_for_stretchy_operators.disabled media.ffmpeg.customized-buffer-allocation
media.getusermedia.audio.processing.aec.mobile media.gmp-manager.cert.checkAttributes media.gmp-manager.cert.requireBuiltIn
media.gmp-manager.certs.1.commonName media.gmp-manager.certs.1.issuerName media.gmp-manager.certs.2.commonName
media.gmp-manager.certs.2.issuerName media.gmp-manager.checkContentSignature media.webrtc.enable_pq_dtls media.webspeech.recognition.force_enable
network.android_doh.autoselect_enabled network.auth.confirmAuth.enabled network.auth.supress_auth_prompt_for_XFO_failures
network.cookie.cookieBehavior.trackerCookieBlocking network.dns.native_https_timeout_android network.dns.native_https_timeout_mac
network.http.altsvc.oe network.http.http2.push_priority_update network.http.rcwn.cache_queue_normal_threshold
network.http.rcwn.cache_queue_priority_threshold network.http.rcwn.enabled network.http.rcwn.max_wait_before_racing_ms
network.http.rcwn.min_wait_before_racing_ms network.http.rcwn.small_resource_size_kb network.predictor.doing-tests
network.predictor.enable-prefetch network.predictor.enabled network.predictor.max-resources-per-entry network.predictor.max-uri-length
network.predictor.page-degradation.day network.predictor.page-degradation.max network.predictor.page-degradation.month
network.predictor.page-degradation.week network.predictor.page-degradation.year network.predictor.preconnect-min-confidence
network.predictor.prefetch-force-valid-for network.predictor.prefetch-min-confidence network.predictor.prefetch-rolling-load-count
network.predictor.preresolve-min-confidence network.predictor.subresource-degradation.day network.predictor.subresource-degradation.max
network.predictor.subresource-degradation.month network.predictor.subresource-degradation.week network.predictor.subresource-degradation.year
network.standard_content_type_parsing.response_headers network.trr.confirmation_telemetry_enabled network.trr.skip-AAAA-when-not-supported
network.trr.wait-for-portal network.webtransport.datagram_size network.webtransport.datagrams.enabled places.frecency.bookmarkVisitBonus
places.frecency.defaultBucketWeight places.frecency.defaultVisitBonus places.frecency.downloadVisitBonus places.frecency.embedVisitBonus
places.frecency.firstBucketCutoff places.frecency.firstBucketWeight places.frecency.fourthBucketCutoff places.frecency.fourthBucketWeight
places.frecency.framedLinkVisitBonus places.frecency.linkVisitBonus places.frecency.numVisits places.frecency.pages.alternative.maxDaysFromToday
places.frecency.permRedirectVisitBonus places.frecency.redirectSourceVisitBonus places.frecency.reloadVisitBonus
places.frecency.secondBucketCutoff places.frecency.secondBucketWeight places.frecency.tempRedirectVisitBonus places.frecency.thirdBucketCutoff
places.frecency.thirdBucketWeight places.frecency.typedVisitBonus places.frecency.unvisitedBookmarkBonus places.frecency.unvisitedTypedBonus
privacy.partition.always_partition_third_party_non_cookie_storage
privacy.partition.always_partition_third_party_non_cookie_storage.exempt_sessionstorage privacy.partition.network_state.ocsp_cache
privacy.partition.network_state.ocsp_cache.pbmode privacy.query_stripping.strip_on_share.canDisable privacy.sanitize.useOldClearHistoryDialog
prompts.modalType.confirmAuth remote.active-protocols remote.experimental-parent-navigation.enabled security.browser_xhtml_csp.report-only
security.csp.reporting.limit.timespan security.disallow_privileged_data_subdocuments_loads security.disallow_privileged_https_script_loads
security.disallow_privileged_https_stylesheet_loads security.disallow_privileged_https_subdocuments_loads
security.disallow_privileged_no_finaluri_loads security.mixed_content.upgrade_display_content.audio
security.mixed_content.upgrade_display_content.image security.mixed_content.upgrade_display_content.video security.pki.netscape_step_up_policy
security.webauthn.enable_macos_passkeys sidebar.revamp.defaultLauncherVisible signon.firefoxRelay.firstOfferVersionFallback
svg.embedder-prefers-color-scheme.content.enabled svg.nearestAndFarthestViewportElement.enabled svg.use-element.data-url-href.allowed
webgl.1.allow-core-profiles webgl.dxgl.enabled webgl.dxgl.needs-finish webgl.out-of-process.force webgl.out-of-process.worker webgl.prefer-16bpp
widget.android.use-surfacecontrol widget.gtk.non-native-titlebar-buttons.enabled widget.window-transforms.disabled
`;

const GONE: ReadonlySet<string> = new Set(NAMES.trim().split(/\s+/));

/** The version of Firefox ESR that had a default value for it, if it is gone by the given major version. */
export const lastSeenIn = (name: string, major: number): string | undefined => (major >= 153 && GONE.has(name) ? '140' : undefined);
