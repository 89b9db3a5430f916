/**
 * Converts the mid-size model of the npm package nsfwjs (MIT) to `data/models/nsfw.onnx`, with its weights as they are:
 * one byte each. The package itself is not installed, since it brings 340 MB along.
 *
 *     npm pack nsfwjs@4.3.0 && tar xzf nsfwjs-4.3.0.tgz && node tools/nsfw-model.ts package
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { model, node, tensor } from './nsfw-model/onnx-writer.ts';

interface GraphNode {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr?: Readonly<Record<string, GraphAttribute>>;
}
interface GraphAttribute {
  readonly s?: string;
  readonly list?: { readonly i?: readonly string[]; readonly s?: readonly string[] };
}
interface Weight {
  readonly name: string;
  readonly shape: readonly number[];
  readonly quantization: { readonly min: number; readonly scale: number; readonly dtype: string };
}
interface GraphModel {
  readonly modelTopology: { readonly node: readonly GraphNode[] };
  readonly weightsManifest: readonly { readonly weights: readonly Weight[] }[];
}

const outFile = join(import.meta.dirname, '../data/models/nsfw.onnx');

/** The package holds each file of the model as a script that exports it in base64. */
function bundled(folder: string, name: string): unknown {
  const module = { exports: {} as unknown };
  const source = readFileSync(join(folder, 'dist/models/mobilenet_v2_mid', name), 'utf8');
  // oxlint-disable-next-line typescript/no-implied-eval -- a file of the package that the developer has named.
  new Function('module', 'exports', 'require', source)(
    module,
    module.exports,
    createRequire(import.meta.url),
  );
  return module.exports;
}

const float = (value: number) => {
  const raw = Buffer.alloc(4);
  raw.writeFloatLE(value);
  return raw;
};

/** From height × width × in × out to out × in × height × width; of depthwise filters in and out are one axis. */
function filters(
  raw: Buffer,
  shape: readonly number[],
  isDepthwise: boolean,
): { raw: Buffer; shape: number[] } {
  const [height = 1, width = 1, inputs = 1, outputs = 1] = shape;
  const moved = Buffer.alloc(raw.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let i = 0; i < inputs; i += 1)
        for (let o = 0; o < outputs; o += 1) {
          const from = ((y * width + x) * inputs + i) * outputs + o;
          const to = isDepthwise
            ? ((i * outputs + o) * height + y) * width + x
            : ((o * inputs + i) * height + y) * width + x;
          moved[to] = raw[from] ?? 0;
        }
  return {
    raw: moved,
    shape: isDepthwise ? [inputs * outputs, 1, height, width] : [outputs, inputs, height, width],
  };
}

const words = (attribute: GraphAttribute | undefined) =>
  (attribute?.list?.s ?? []).map((each) => Buffer.from(each, 'base64').toString());
const word = (attribute: GraphAttribute | undefined) => Buffer.from(attribute?.s ?? '', 'base64').toString();
const numbers = (attribute: GraphAttribute | undefined) => (attribute?.list?.i ?? []).map(Number);

class Conversion {
  readonly nodes: Buffer[] = [];
  readonly constants: Buffer[] = [];
  readonly #weights: ReadonlyMap<string, Weight & { readonly raw: Buffer }>;
  readonly #names = new Map<string, string>();
  #count = 0;

  constructor(weights: ReadonlyMap<string, Weight & { readonly raw: Buffer }>) {
    this.#weights = weights;
  }

  /** Short names, so that the file is small. */
  named(name: string): string {
    const known = this.#names.get(name) ?? `v${this.#names.size}`;
    this.#names.set(name, known);
    return known;
  }

  #fresh = () => `c${(this.#count += 1)}`;

  #constant(type: 'float' | 'uint8', shape: readonly number[], raw: Buffer): string {
    const name = this.#fresh();
    this.constants.push(tensor(name, type, shape, raw));
    return name;
  }

  /** byte × scale + min, which the runtime computes once while it loads the model. */
  weight(name: string, layout: 'as it is' | 'filters' | 'depthwise' = 'as it is'): string {
    const found = this.#weights.get(name);
    if (found === undefined) throw new Error(`The model has no weight ${name}.`);
    const { min, scale } = found.quantization;
    const { raw, shape } =
      layout === 'as it is' ? found : filters(found.raw, found.shape, layout === 'depthwise');
    const [cast, product, sum] = [this.#fresh(), this.#fresh(), this.#fresh()];
    this.nodes.push(
      node('Cast', [this.#constant('uint8', shape, raw)], cast, { to: 1 }),
      node('Mul', [cast, this.#constant('float', [], float(scale))], product),
      node('Add', [product, this.#constant('float', [], float(min))], sum),
    );
    return sum;
  }

  scalar = (value: number) => this.#constant('float', [], float(value));

  relu6(input: string, output: string): void {
    this.nodes.push(node('Clip', [input, this.scalar(0), this.scalar(6)], output));
  }

  convolution(each: GraphNode): void {
    const { name, attr = {} } = each;
    const fused = words(attr['fused_ops']);
    const unknown = fused.filter((what) => what !== 'BiasAdd' && what !== 'Relu6');
    if (unknown.length > 0) throw new Error(`The convolution ${name} also does ${unknown.join(', ')}.`);
    const filter = nth(each, 1);
    const isDepthwise = each.op.startsWith('FusedDepthwise');
    const out = this.named(name);
    const raw = fused.includes('Relu6') ? this.#fresh() : out;
    const weights = [
      this.weight(filter, isDepthwise ? 'depthwise' : 'filters'),
      ...(fused.includes('BiasAdd') ? [this.weight(nth(each, 2))] : []),
    ];
    this.nodes.push(
      node('Conv', [named(this, each, 0), ...weights], raw, {
        auto_pad: word(attr['padding']) === 'SAME' ? 'SAME_UPPER' : 'VALID',
        group: isDepthwise ? this.#size(filter, 2) : 1,
        kernel_shape: [this.#size(filter, 0), this.#size(filter, 1)],
        strides: numbers(attr['strides']).slice(1, 3),
      }),
    );
    if (raw !== out) this.relu6(raw, out);
  }

  #size(weight: string, axis: number): number {
    return this.#weights.get(weight)?.shape[axis] ?? 1;
  }
}

function convert(graph: GraphModel, data: Buffer): Buffer {
  let offset = 0;
  const weights = new Map<string, Weight & { readonly raw: Buffer }>();
  for (const weight of graph.weightsManifest.flatMap((group) => group.weights)) {
    if (weight.quantization.dtype !== 'uint8') throw new Error(`${weight.name} is not of bytes.`);
    const size = weight.shape.reduce((product, each) => product * each, 1);
    weights.set(weight.name, { ...weight, raw: data.subarray(offset, offset + size) });
    offset += size;
  }
  if (offset !== data.length) throw new Error(`${data.length - offset} bytes of weights are left over.`);
  const to = new Conversion(weights);
  for (const each of graph.modelTopology.node) convertNode(to, each);
  const outputs = graph.modelTopology.node.at(-1);
  return model({
    name: 'nsfw',
    producer: 'nsfwjs 4.3.0 MobileNetV2Mid',
    nodes: to.nodes,
    constants: to.constants,
    input: { name: 'pixels', type: 'uint8', shape: ['frames', 224, 224, 3] },
    output: { name: to.named(outputs?.name ?? ''), type: 'float', shape: ['frames', 5] },
  });
}

/** By operator: what becomes of a node. */
const conversions: Readonly<Record<string, (to: Conversion, each: GraphNode, out: string) => void>> = {
  Const: () => undefined,
  // Bytes of red, green, blue for each pixel, in place of numbers from 0 to 1.
  Placeholder: (to, _each, out) =>
    to.nodes.push(
      node('Cast', ['pixels'], `${out}f`, { to: 1 }),
      node('Transpose', [`${out}f`], `${out}t`, { perm: [0, 3, 1, 2] }),
      node('Mul', [`${out}t`, to.scalar(1 / 255)], out),
    ),
  Mul: (to, each, out) => to.nodes.push(node('Mul', [named(to, each, 1), to.weight(nth(each, 0))], out)),
  Sub: (to, each, out) => to.nodes.push(node('Sub', [named(to, each, 0), to.weight(nth(each, 1))], out)),
  _FusedConv2D: (to, each) => to.convolution(each),
  FusedDepthwiseConv2dNative: (to, each) => to.convolution(each),
  AddV2: (to, each, out) => to.nodes.push(node('Add', [named(to, each, 0), named(to, each, 1)], out)),
  AvgPool: (to, each, out) => {
    const kernel = numbers(each.attr?.['ksize']).slice(1, 3);
    to.nodes.push(node('AveragePool', [named(to, each, 0)], out, { kernel_shape: kernel }));
  },
  Squeeze: (to, each, out) => to.nodes.push(node('Flatten', [named(to, each, 0)], out, { axis: 1 })),
  _FusedMatMul: (to, each, out) =>
    to.nodes.push(node('Gemm', [named(to, each, 0), to.weight(nth(each, 1)), to.weight(nth(each, 2))], out)),
  Softmax: (to, each, out) => to.nodes.push(node('Softmax', [named(to, each, 0)], out, { axis: 1 })),
  Identity: (to, each, out) => to.nodes.push(node('Identity', [named(to, each, 0)], out)),
};

const nth = ({ input = [] }: GraphNode, at: number) => input[at] ?? '';
const named = (to: Conversion, each: GraphNode, at: number) => to.named(nth(each, at));

function convertNode(to: Conversion, each: GraphNode): void {
  const convertOne = conversions[each.op];
  if (convertOne === undefined) throw new Error(`The operator ${each.op} is not known.`);
  convertOne(to, each, to.named(each.name));
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder of the unpacked package nsfwjs 4.3.0.');
const shards = ['group1-shard1of2.min.js', 'group1-shard2of2.min.js'];
const decoded = (name: string) => {
  const found = bundled(folder, name);
  return typeof found === 'string' ? Buffer.from(found, 'base64') : found;
};
const topology = decoded('model.min.js');
const graph = (Buffer.isBuffer(topology) ? JSON.parse(topology.toString('utf8')) : topology) as GraphModel;
const onnx = convert(graph, Buffer.concat(shards.map((name) => decoded(name) as Buffer)));
writeFileSync(outFile, onnx);
console.log(`${outFile}: ${onnx.length} bytes, SHA-256 ${createHash('sha256').update(onnx).digest('hex')}`);
