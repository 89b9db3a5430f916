/** Writes the parts of the ONNX format (protocol buffers, https://github.com/onnx/onnx/blob/main/onnx/onnx.proto) that a converted model needs. */

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  let left = value;
  while (left > 127) {
    bytes.push((left % 128) | 128);
    left = Math.floor(left / 128);
  }
  bytes.push(left);
  return Buffer.from(bytes);
};

const key = (field: number, wire: number) => varint(field * 8 + wire);
const integer = (field: number, value: number) => Buffer.concat([key(field, 0), varint(value)]);
const bytes = (field: number, value: Buffer) => Buffer.concat([key(field, 2), varint(value.length), value]);
const text = (field: number, value: string) => bytes(field, Buffer.from(value));

/** Element types of tensors, by their numbers in the format. */
export const elementTypes = { float: 1, uint8: 2, int64: 7 } as const;

/** A constant tensor; `raw` is little-endian. */
export const tensor = (
  name: string,
  type: keyof typeof elementTypes,
  shape: readonly number[],
  raw: Buffer,
): Buffer =>
  Buffer.concat([
    ...shape.map((size) => integer(1, size)),
    integer(2, elementTypes[type]),
    text(8, name),
    bytes(9, raw),
  ]);

export type Attribute = number | string | readonly number[];

const attribute = (name: string, value: Attribute): Buffer => {
  if (typeof value === 'number') return Buffer.concat([text(1, name), integer(3, value), integer(20, 2)]);
  if (typeof value === 'string') return Buffer.concat([text(1, name), text(4, value), integer(20, 3)]);
  return Buffer.concat([text(1, name), ...value.map((each) => integer(8, each)), integer(20, 7)]);
};

export const node = (
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, Attribute>> = {},
): Buffer =>
  Buffer.concat([
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(3, output),
    text(4, operator),
    ...Object.entries(attributes).map(([name, value]) => bytes(5, attribute(name, value))),
  ]);

/** An input or output; a string in the shape is a size that varies. */
const value = (
  name: string,
  type: keyof typeof elementTypes,
  shape: readonly (number | string)[],
): Buffer => {
  const sizes = shape.map((size) => bytes(1, typeof size === 'number' ? integer(1, size) : text(2, size)));
  const ofTensor = Buffer.concat([integer(1, elementTypes[type]), bytes(2, Buffer.concat(sizes))]);
  return Buffer.concat([text(1, name), bytes(2, bytes(1, ofTensor))]);
};

export interface ModelParts {
  readonly name: string;
  readonly producer: string;
  readonly nodes: readonly Buffer[];
  readonly constants: readonly Buffer[];
  readonly input: { name: string; type: keyof typeof elementTypes; shape: readonly (number | string)[] };
  readonly output: { name: string; type: keyof typeof elementTypes; shape: readonly (number | string)[] };
}

const opset = 13;
const formatVersion = 8;

export function model({ name, producer, nodes, constants, input, output }: ModelParts): Buffer {
  const graph = Buffer.concat([
    ...nodes.map((each) => bytes(1, each)),
    text(2, name),
    ...constants.map((each) => bytes(5, each)),
    bytes(11, value(input.name, input.type, input.shape)),
    bytes(12, value(output.name, output.type, output.shape)),
  ]);
  return Buffer.concat([
    integer(1, formatVersion),
    text(2, producer),
    bytes(7, graph),
    bytes(8, Buffer.concat([text(1, ''), integer(2, opset)])),
  ]);
}
