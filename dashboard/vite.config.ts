import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { contractRoutes } from './contract-routes.ts';

/** Writes each file compressed beside itself, so that the server only has to send it. */
function compressed(): Plugin {
  let folder = '';
  return {
    name: 'compressed',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir;
    },
    async closeBundle() {
      const files = (await readdir(folder, { recursive: true })).filter((file) =>
        /\.(?:js|css|html|svg)$/.test(file),
      );
      await Promise.all(
        files.map(async (file) => {
          const path = join(folder, file);
          const content = await readFile(path);
          const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
          await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }));
          await writeFile(`${path}.gz`, await promisify(gzip)(content));
        }),
      );
    },
  };
}

// oxlint-disable-next-line import/no-default-export -- vite takes its configuration from the default export
export default defineConfig({
  root: import.meta.dirname,
  plugins: [contractRoutes(), react(), tailwindcss(), compressed()],
  build: { target: 'es2023', chunkSizeWarningLimit: 700, modulePreload: { polyfill: false } },
  server: {
    proxy: {
      '/services': 'http://127.0.0.1:22100',
      '/session': 'http://127.0.0.1:22100',
      '/auth': 'http://127.0.0.1:22100',
    },
  },
});
