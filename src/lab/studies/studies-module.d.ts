/** Every module of this folder, put together by the build (src/tools/studies-module.mjs). */
declare module 'plumbfox:studies' {
  const modules: readonly Readonly<Record<string, unknown>>[];
  export default modules;
}
