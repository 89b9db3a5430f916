/** One name for modules that are the same thing. */
export function moduleName(name: string): string {
  const bare = name.replace(/^node:/, '').replaceAll('/', '.');
  if (bare === 'fs-extra' || bare === 'graceful-fs') return 'fs';
  // Each version of the library of schemas has an entry of its own.
  return /^zod\.(?:v[34](?:[.-]mini)?|mini)$/.test(bare) ? 'zod' : bare;
}
