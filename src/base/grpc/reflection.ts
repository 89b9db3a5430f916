/**
 * Descriptors as protoc makes them. Those of proto-loader name map entries differently, refer to types by their
 * short names and do not mark optional fields: strict clients (grpcurl, Python, C++) refuse them.
 */
import { loadSync, type AnyDefinition, type PackageDefinition } from '@grpc/proto-loader';

interface Field {
  name: string;
  typeName?: string;
  oneofIndex?: number;
  proto3Optional?: boolean;
}

interface Message {
  name: string;
  field?: Field[];
  nestedType?: Message[];
  oneofDecl?: { name: string }[];
  options?: { mapEntry?: boolean };
}

interface File {
  package?: string;
  messageType?: Message[];
}

interface Codec {
  serialize(file: File): Buffer;
  deserialize(bytes: Buffer): File;
}

const isMapEntry = ({ options }: Message) => options?.mapEntry === true;

/** `probs` → `ProbsEntry`, `by_name` → `ByNameEntry`. */
const entryName = (field: string) =>
  `${field
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Entry`;

function renameEntries(message: Message): void {
  for (const nested of message.nestedType ?? []) {
    if (isMapEntry(nested)) {
      const field = message.field?.find(({ typeName }) => typeName === nested.name);
      if (field !== undefined) {
        nested.name = entryName(field.name);
        field.typeName = nested.name;
      }
    } else renameEntries(nested);
  }
}

function namesOf(messages: readonly Message[], scope: string): string[] {
  return messages.flatMap((message) => {
    const name = `${scope}.${message.name}`;
    return [name, ...namesOf(message.nestedType ?? [], name)];
  });
}

/** Resolves a type name to the full name in the innermost scope that defines it. */
function fullName(name: string, scope: string, known: ReadonlySet<string>): string {
  if (name.startsWith('.')) return name;
  for (let at = scope; ; at = at.slice(0, at.lastIndexOf('.'))) {
    if (known.has(`${at}.${name}`)) return `${at}.${name}`;
    if (at === '') return name;
  }
}

function complete(messages: readonly Message[], scope: string, known: ReadonlySet<string>): void {
  for (const message of messages) {
    const here = `${scope}.${message.name}`;
    for (const field of message.field ?? []) {
      if (field.typeName !== undefined) field.typeName = fullName(field.typeName, here, known);
      const oneof = field.oneofIndex === undefined ? undefined : message.oneofDecl?.[field.oneofIndex];
      if (oneof?.name === `_${field.name}`) field.proto3Optional = true;
    }
    complete(message.nestedType ?? [], here, known);
  }
}

function corrected(bytes: Buffer, codec: Codec): Buffer {
  const file = codec.deserialize(bytes);
  const messages = file.messageType ?? [];
  const scope = file.package === undefined || file.package === '' ? '' : `.${file.package}`;
  for (const message of messages) renameEntries(message);
  complete(messages, scope, new Set(namesOf(messages, scope)));
  return codec.serialize(file);
}

/** The same definitions with descriptors that every client accepts. */
export function reflectable(definitions: PackageDefinition): PackageDefinition {
  const descriptors = loadSync('google/protobuf/descriptor.proto', { enums: String });
  const codec = descriptors['google.protobuf.FileDescriptorProto'] as unknown as Codec;
  return Object.fromEntries(
    Object.entries(definitions).map(([name, definition]): [string, AnyDefinition] => {
      const { fileDescriptorProtos } = definition as { fileDescriptorProtos?: Buffer[] };
      return [
        name,
        Array.isArray(fileDescriptorProtos)
          ? {
              ...definition,
              fileDescriptorProtos: fileDescriptorProtos.map((file) => corrected(file, codec)),
            }
          : definition,
      ] as [string, AnyDefinition];
    }),
  );
}
