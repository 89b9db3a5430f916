import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { AppError } from '../errors.ts';
import { formOverheadBytes, readForm } from './read-form.ts';

const encoded = async (form: FormData) => {
  const response = new Response(form);
  return {
    bytes: Buffer.from(await response.arrayBuffer()),
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
  };
};
/** In pieces of a size that cuts boundaries and characters. */
const inPieces = (bytes: Buffer, size = 7) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
    { objectMode: false },
  );
const folders = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('bulwark-form-'));
const refusedWith = (status: number) => (error: unknown) =>
  error instanceof AppError && error.status === status;

describe('a form', () => {
  it('has its texts and its files, which are gone when it is removed', async () => {
    const form = new FormData();
    form.append('text', 'ümläut\r\n--');
    form.append('file', new File(['content é'], 'a/ü.zip', { type: 'application/zip' }));
    form.append('file', new File([], 'empty'));
    const { bytes, headers } = await encoded(form);
    const read = await readForm(inPieces(bytes), headers, 10_000);
    assert.equal(read.fields.get('text'), 'ümläut\r\n--');
    const files = read.fields.getAll('file') as File[];
    assert.deepEqual(
      files.map(({ name, type, size }) => [name, type, size]),
      [
        ['ü.zip', 'application/zip', 10],
        ['empty', 'application/octet-stream', 0],
      ],
    );
    assert.equal(await files[0]?.text(), 'content é');
    await read.remove();
    await assert.rejects(async () => files[0]?.text());
  });

  it('may have a file of exactly the limit, and what is around it', async () => {
    const form = new FormData();
    form.append('text', 'private');
    form.append('file', new File([Buffer.alloc(5000)], 'a'));
    const { bytes, headers } = await encoded(form);
    const sized = { ...headers, 'content-length': String(bytes.length) };
    const read = await readForm(inPieces(bytes), sized, 5000);
    assert.equal((read.fields.get('file') as File).size, 5000);
    await read.remove();
    await assert.rejects(readForm(inPieces(bytes), sized, 4999), refusedWith(413));
  });

  it('leaves nothing behind when it is too large, cut off or no form', async () => {
    const before = await folders();
    const form = new FormData();
    form.append('file', new File([Buffer.alloc(5000)], 'a'));
    const { bytes, headers } = await encoded(form);
    await assert.rejects(readForm(inPieces(bytes), headers, 4000), refusedWith(413));
    await assert.rejects(
      readForm(inPieces(bytes), { ...headers, 'content-length': String(5001 + formOverheadBytes) }, 5000),
      refusedWith(413),
    );
    await assert.rejects(readForm(inPieces(bytes.subarray(0, 3000)), headers, 10_000), refusedWith(400));
    await assert.rejects(
      readForm(inPieces(bytes), { 'content-type': 'multipart/form-data' }, 10_000),
      refusedWith(400),
    );
    const many = new FormData();
    for (let i = 0; i < 1001; i += 1) many.append('a', 'b');
    const parts = await encoded(many);
    await assert.rejects(readForm(inPieces(parts.bytes, 4096), parts.headers, 1_000_000), refusedWith(400));
    assert.deepEqual(await folders(), before);
  });

  it('does not hold a file in memory', async () => {
    const boundary = 'x';
    const mib = Buffer.alloc(1024 * 1024, 'a');
    let most = 0;
    const before = process.memoryUsage().arrayBuffers;
    const body = Readable.from(
      (async function* () {
        yield `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n`;
        for (let i = 0; i < 100; i += 1) {
          most = Math.max(most, process.memoryUsage().arrayBuffers - before);
          yield mib;
        }
        yield `\r\n--${boundary}--\r\n`;
      })(),
      { objectMode: false },
    );
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const read = await readForm(body, headers, 200 * 1024 * 1024);
    assert.equal((read.fields.get('file') as File).size, 100 * mib.length);
    await read.remove();
    assert.ok(most < 50 * mib.length, `${most} bytes were held`);
  });
});
