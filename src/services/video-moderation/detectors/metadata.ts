/**
 * What a file says of its own origin: provenance by C2PA, and tags of generators. A claim, which anybody can remove or
 * write, so its probability is capped; the signature of a C2PA manifest is not checked.
 */
import { open } from 'node:fs/promises';
import type { Media } from '../decoding/probe.ts';
import type { Evidence } from './detector.ts';

const category = 'Deepfake_Manipulation';
const cap = 0.5;
/** The box that holds a C2PA manifest in ISO base media files (C2PA 2.1, A.5). */
const c2paBox = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');
/** IPTC’s digital source types of what a model has made, as manifests state them. */
const generatedTypes = [
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
  'algorithmicMedia',
];
const mostBoxes = 1000;
const mostManifestBytes = 4 * 1024 * 1024;

/** Programs that make pictures, by the names that they write into files. */
const generators =
  /\b(?:openai|sora|runway(?:ml)?|pika(?: labs)?|kling|luma(?: dream machine)?|veo|imagen video|stable video diffusion|animatediff|hunyuanvideo|wan ?2\.\d|midjourney|synthesia|heygen|deepfacelab|faceswap|roop|d-id|ai[- ]generated|made with ai)\b/i;
const tagNames: ReadonlySet<string> = new Set([
  'encoder',
  'comment',
  'description',
  'software',
  'title',
  'artist',
  'copyright',
  'synopsis',
  'keywords',
  'com.apple.quicktime.software',
  'com.apple.quicktime.description',
  'com.apple.quicktime.comment',
  'aigc',
]);

/** The manifest, where the file has one; read box by box, so that a large file costs little. */
async function manifestOf(path: string, sizeBytes: number): Promise<Buffer | undefined> {
  await using file = await open(path, 'r');
  const head = Buffer.alloc(32);
  for (let at = 0, boxes = 0; at + 8 <= sizeBytes && boxes < mostBoxes; boxes += 1) {
    const { bytesRead } = await file.read(head, 0, 32, at);
    if (bytesRead < 8) return undefined;
    const short = head.readUInt32BE(0);
    const size =
      short === 1 && bytesRead >= 16 ? Number(head.readBigUInt64BE(8)) : short === 0 ? sizeBytes - at : short;
    if (size < 8) return undefined;
    if (head.subarray(4, 8).toString('latin1') === 'uuid' && head.subarray(8, 24).equals(c2paBox)) {
      const content = Buffer.alloc(Math.min(size, mostManifestBytes, sizeBytes - at));
      await file.read(content, 0, content.length, at);
      return content;
    }
    at += size;
  }
  return undefined;
}

export async function readMetadata(path: string, media: Media, durationSeconds: number): Promise<Evidence[]> {
  const found: Evidence[] = [];
  const add = (probability: number, explanation: string) =>
    found.push({
      category,
      detector: 'metadata',
      level: 'heuristic',
      startSeconds: 0,
      endSeconds: durationSeconds,
      probability: Math.min(cap, probability),
      explanation,
    });
  if (media.container === 'mp4' || media.container === 'mov') {
    const manifest = await manifestOf(path, media.sizeBytes);
    const type = generatedTypes.find((each) => manifest?.includes(each));
    if (type !== undefined)
      add(cap, `The file says by C2PA that a model has made it (${type}); the signature was not checked.`);
    else if (manifest !== undefined)
      add(0.1, 'The file carries a C2PA manifest, which does not say that a model has made it.');
  }
  for (const [name, value] of Object.entries(media.tags)) {
    const mark = tagNames.has(name) ? generators.exec(value)?.[0] : undefined;
    if (mark !== undefined) add(cap, `The tag ${name} of the file names a generator of pictures: ${mark}.`);
  }
  return found;
}
