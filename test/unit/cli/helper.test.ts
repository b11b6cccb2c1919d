import { expect, it } from 'vitest';
import { windowsInstallation } from '../../../src/cli/helper.ts';

it('says where the registry names the manifest, and takes paths as they are', () => {
  const text = windowsInstallation({ node: 'C:\\Program Files\\nodejs\\node.exe', program: "C:\\Ann's\\plumbfox-helper.mjs" });
  expect(text).toContain("Copy-Item 'C:\\Ann''s\\plumbfox-helper.mjs' \"$folder\\plumbfox-helper.mjs\"");
  expect(text).toContain(`'@"C:\\Program Files\\nodejs\\node.exe" "%~dp0plumbfox-helper.mjs" %*'`);
  expect(text).toContain('New-Item -Force \'HKCU:\\Software\\Mozilla\\NativeMessagingHosts\\plumbfox\' -Value "$folder\\plumbfox.json"');
  const manifest = /^\{[\s\S]*?^\}/m.exec(text)?.[0] ?? '';
  expect(JSON.parse(manifest)).toMatchObject({
    name: 'plumbfox',
    path: 'plumbfox-helper.bat',
    allowed_extensions: ['plumbfox@plumbfox.org'],
  });
});
