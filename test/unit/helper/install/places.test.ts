import { expect, it } from 'vitest';
import { helperPlaces } from '../../../../src/helper/install/places.ts';

const home = '/home/ann';

it('keeps to the home folder where the environment says nothing', () => {
  expect(helperPlaces('linux', { home, env: {} })).toMatchObject({
    program: '/home/ann/.local/share/plumbfox/plumbfox-helper.mjs',
    launcher: '/home/ann/.local/share/plumbfox/plumbfox-helper',
    manifest: '/home/ann/.mozilla/native-messaging-hosts/plumbfox.json',
    laterManifest: { path: '/home/ann/.config/mozilla/native-messaging-hosts/plumbfox.json', whereThereIs: '/home/ann/.config/mozilla' },
  });
});

it('goes by the environment, but for what is not absolute and for the manifest, which Firefox reads below ~/.mozilla alone', () => {
  const places = helperPlaces('linux', { home, env: { XDG_DATA_HOME: '/data', XDG_CONFIG_HOME: 'config' } });
  expect(places.dataFolder).toBe('/data/plumbfox');
  expect(places.manifest).toBe('/home/ann/.mozilla/native-messaging-hosts/plumbfox.json');
  expect(places.laterManifest?.whereThereIs).toBe('/home/ann/.config/mozilla');
});

it('knows the folders of macOS', () => {
  expect(helperPlaces('darwin', { home, env: { XDG_DATA_HOME: '/data' } })).toMatchObject({
    launcher: '/home/ann/Library/Application Support/Plumbfox/plumbfox-helper',
    manifest: '/home/ann/Library/Application Support/Mozilla/NativeMessagingHosts/plumbfox.json',
    laterManifest: undefined,
  });
});
