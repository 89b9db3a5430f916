import assert from 'node:assert/strict';
import { test } from 'node:test';
import { libraryAt, libraryPartsOf } from './library-parts.ts';

const filler = `/* ${'x'.repeat(5_000)} */`;
const nameAt = (text: string, mark: string) => libraryAt({ path: 'dist/index.js', text }, text.indexOf(mark));

test('comments and keys of bundlers say where a library begins and where the project goes on', () => {
  const esbuild = `${filler}
var __toESM = (mod) => mod;
// node_modules/.pnpm/etag@1.8.1/node_modules/etag/index.js
function inEtag() {}
// node_modules/@scope/name/lib/a.js
var require_a = __commonJS({
  "node_modules/@scope/name/lib/a.js"(exports) { inScope(); }
});
// src/index.ts
function inServer() {}
`;
  assert.equal(nameAt(esbuild, 'inEtag'), 'etag');
  assert.equal(nameAt(esbuild, 'inScope'), '@scope/name');
  assert.equal(nameAt(esbuild, 'inServer'), undefined);
  assert.equal(nameAt(esbuild, 'var __toESM'), undefined);
});

test('regions end where their bundler says so', () => {
  const rolldown = `${filler}
//#region node_modules/qs/lib/parse.js
function inQs() {}
//#endregion
function inServer() {}
//#region src/tools.ts
function inTools() {}
//#endregion
`;
  assert.equal(nameAt(rolldown, 'inQs'), 'qs');
  assert.equal(nameAt(rolldown, 'inServer'), undefined);
  assert.equal(nameAt(rolldown, 'inTools'), undefined);
});

test('webpack names its modules by keys', () => {
  const webpack = `${filler}
var __webpack_modules__ = ({
/***/ "./node_modules/ms/index.js":
/***/ ((module) => { inMs(); }),
/***/ "./src/server.js":
/***/ ((module) => { inServer(); }),
});
function __webpack_require__() {}
`;
  assert.equal(nameAt(webpack, 'inMs'), 'ms');
  assert.equal(nameAt(webpack, 'inServer'), undefined);
});

test('a comment alone makes no library', () => {
  const text = `${filler}\n// node_modules/etag/index.js\nfunction inServer() {}\n`;
  assert.deepEqual(libraryPartsOf(text), []);
});

test('a folder of copied libraries is one', () => {
  assert.equal(libraryAt({ path: 'src/_vendor/requests/api.py', text: '' }, 0), 'requests');
  assert.equal(libraryAt({ path: 'src/vendor_list.py', text: '' }, 0), undefined);
});
