/** Prints what everything below runs on. */
import { version } from '#version.ts';

console.log(`bulwark ${version} · node ${process.version} · ${process.platform} ${process.arch}`);
