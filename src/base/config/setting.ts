import { isIP } from 'node:net';
import { z } from 'zod';
import { Secret } from './secret.ts';

/** One setting: its accepted values, default, and a line for the reference. */
export interface Setting<T> {
  readonly schema: z.ZodType<T>;
  /** The default; undefined if there is none. */
  readonly preset: T;
  readonly doc: string;
  /** Accepted values, in a few words. */
  readonly takes: string;
  /** A standard environment variable that is read if ours is not set. */
  readonly alsoFrom?: string;
}

/** The settings of one section, in camelCase; snake_case in files and variables. */
export type Section = Readonly<Record<string, Setting<unknown>>>;

/** Sections by name; the section `''` holds the top-level settings. */
export type Sections = Readonly<Record<string, Section>>;

export type SectionValues<S extends Section> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/** The values that {@link loadConfig} returns for the sections. */
export type ConfigOf<S extends Sections> = {
  readonly [K in keyof S as K extends '' ? never : K]: SectionValues<S[K]>;
} & ('' extends keyof S ? SectionValues<S['']> : object);

/** Values from the environment are text, those from the file are typed: both are accepted. */
const fromText = <T>(read: (text: string) => unknown, schema: z.ZodType<T>) =>
  z.preprocess((value) => (typeof value === 'string' ? read(value.trim()) : value), schema) as z.ZodType<T>;

const flags: Record<string, boolean> = {
  true: true,
  '1': true,
  yes: true,
  false: false,
  '0': false,
  no: false,
};

export const flag = (preset: boolean, doc: string): Setting<boolean> => ({
  schema: fromText((text) => flags[text.toLowerCase()] ?? text, z.boolean('must be true or false')),
  preset,
  doc,
  takes: 'true or false',
});

interface Range {
  readonly min: number;
  readonly max: number;
}

const numeric = (isWhole: boolean, preset: number, { min, max }: Range, doc: string): Setting<number> => {
  const wrong = `must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`;
  const schema = z.number(wrong).min(min, wrong).max(max, wrong);
  return {
    schema: fromText((text) => (text === '' ? text : Number(text)), isWhole ? schema.int(wrong) : schema),
    preset,
    doc,
    takes: `${min} to ${max}`,
  };
};

export const integer = (preset: number, range: Range, doc: string): Setting<number> =>
  numeric(true, preset, range, doc);

/** A number that need not be whole. */
export const number = (preset: number, range: Range, doc: string): Setting<number> =>
  numeric(false, preset, range, doc);

export const text = (preset: string, doc: string): Setting<string> => ({
  schema: z.string('must be text').trim().min(1, 'must not be empty'),
  preset,
  doc,
  takes: 'text',
});

export const optionalText = (doc: string): Setting<string | undefined> => ({
  schema: z.string('must be text').trim().min(1, 'must not be empty'),
  preset: undefined,
  doc,
  takes: 'text',
});

export const optionalUrl = (protocols: readonly string[], doc: string): Setting<string | undefined> => {
  const takes = `a URL that begins with ${protocols.map((name) => `${name}://`).join(' or ')}`;
  return {
    schema: z
      .string(`must be ${takes}`)
      .refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol.slice(0, -1)), {
        error: `must be ${takes}`,
      }),
    preset: undefined,
    doc,
    takes,
  };
};

/** A route's path. */
export const urlPath = (preset: string, doc: string): Setting<string> => ({
  schema: z.string('must be text').regex(/^\/[\w./-]+$/, 'must be a path such as /metrics'),
  preset,
  doc,
  takes: 'a path',
});

/** The setting, also read from a standard environment variable. */
export const alsoFrom = <T>(variable: string, setting: Setting<T>): Setting<T> => ({
  ...setting,
  doc: `${setting.doc} Else \`${variable}\`.`,
  alsoFrom: variable,
});

export const choice = <const V extends string>(
  preset: NoInfer<V>,
  values: readonly [V, ...V[]],
  doc: string,
): Setting<V> => ({
  schema: z.enum(values, `must be one of ${values.join(', ')}`) as unknown as z.ZodType<V>,
  preset,
  doc,
  takes: values.join(', '),
});

/** A list; comma-separated in the environment. */
export const list = (preset: readonly string[], doc: string): Setting<readonly string[]> => ({
  schema: fromText(
    (value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    z.array(z.string(), 'must be a list of strings').readonly(),
  ),
  preset,
  doc,
  takes: 'a list (in the environment: with commas)',
});

const isNetwork = (item: string): boolean => {
  const [address = '', length, ...rest] = item.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128));
};

/** Addresses and CIDR blocks. */
export const networks = (doc: string): Setting<readonly string[]> => {
  const { schema, ...items } = list([], doc);
  return {
    ...items,
    schema: schema.refine((found) => found.every(isNetwork), {
      error: 'must be addresses or CIDR blocks such as 10.0.0.0/8',
    }),
    takes: 'addresses and CIDR blocks (in the environment: with commas)',
  };
};

/** Networks, or `true` for all and `false` for none. */
export const networksOrAll = (doc: string): Setting<readonly string[]> => {
  const { schema, ...items } = list([], doc);
  return {
    ...items,
    schema: z.preprocess(
      (value) => (typeof value === 'boolean' ? [String(value)] : value),
      schema.refine((found) => found.every((item) => /^(?:true|false)$/i.test(item) || isNetwork(item)), {
        error: 'must be true, or addresses and CIDR blocks such as 10.0.0.0/8',
      }),
    ),
    takes: 'true, or addresses and CIDR blocks (in the environment: with commas)',
  };
};

/** A secret; never printed. */
export const secret = (minLength: number, doc: string): Setting<Secret | undefined> => ({
  schema: z
    .string('must be text')
    .min(minLength, `must have at least ${minLength} characters`)
    .transform((value) => new Secret(value)),
  preset: undefined,
  doc,
  takes: minLength > 1 ? `a secret of ${minLength} characters or more` : 'a secret',
});
