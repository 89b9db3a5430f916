// Lets Node run our TypeScript if this package is installed below a node_modules folder, which Node refuses by default.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ours = `${pathToFileURL(dirname(dirname(fileURLToPath(import.meta.url)))).href}/src/`;

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(ours) || !url.endsWith('.ts')) return nextLoad(url, context);
    const source = stripTypeScriptTypes(readFileSync(new URL(url), 'utf8'));
    return { format: 'module', source, shortCircuit: true };
  },
});
