/** Prints the versions of the runtime environment. */
import { version } from '#version.ts';

console.log(`bulwark ${version} · node ${process.version} · ${process.platform} ${process.arch}`);
