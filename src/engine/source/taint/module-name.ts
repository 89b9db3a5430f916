/** One name for modules that are the same thing. */
export function moduleName(name: string): string {
  const bare = name.replace(/^node:/, '').replaceAll('/', '.');
  return bare === 'fs-extra' || bare === 'graceful-fs' ? 'fs' : bare;
}
