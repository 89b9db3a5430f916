import { isIP } from 'node:net';
import { z } from 'zod';
import { Secret } from './secret.ts';

/** One key of the configuration: what it takes, what it is when nobody sets it, and a line for the reference. */
export interface Setting<T> {
  readonly schema: z.ZodType<T>;
  /** Undefined for a setting that is off until it is set. */
  readonly preset: T;
  readonly doc: string;
  /** What it takes, in a few words. */
  readonly takes: string;
  /** A variable of another standard that is read where ours is not set. */
  readonly alsoFrom?: string;
}

/** The keys of one part of the configuration, in camelCase; on the outside they are snake_case. */
export type Section = Readonly<Record<string, Setting<unknown>>>;

/** The parts by name; the part named `''` holds the keys at the top. */
export type Sections = Readonly<Record<string, Section>>;

export type SectionValues<S extends Section> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/** The values that {@link loadConfig} gives for the sections. */
export type ConfigOf<S extends Sections> = {
  readonly [K in keyof S as K extends '' ? never : K]: SectionValues<S[K]>;
} & ('' extends keyof S ? SectionValues<S['']> : object);

/** Values from the environment are text, those from the file have types: both are taken. */
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

export const integer = (
  preset: number,
  { min, max }: { min: number; max: number },
  doc: string,
): Setting<number> => {
  const wrong = `must be a whole number from ${min} to ${max}`;
  return {
    schema: fromText(
      (text) => (text === '' ? text : Number(text)),
      z.number(wrong).int(wrong).min(min, wrong).max(max, wrong),
    ),
    preset,
    doc,
    takes: `${min} to ${max}`,
  };
};

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

/** The path of a route. */
export const urlPath = (preset: string, doc: string): Setting<string> => ({
  schema: z.string('must be text').regex(/^\/[\w./-]+$/, 'must be a path such as /metrics'),
  preset,
  doc,
  takes: 'a path',
});

/** The setting, also read from a variable that the field knows. */
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

/** A list; in the environment separated by commas. */
export const list = (preset: readonly string[], doc: string): Setting<readonly string[]> => ({
  schema: fromText(
    (value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    z.array(z.string(), 'must be a list of texts').readonly(),
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

/** A secret; it never prints. */
export const secret = (minLength: number, doc: string): Setting<Secret | undefined> => ({
  schema: z
    .string('must be text')
    .min(minLength, `must have at least ${minLength} characters`)
    .transform((value) => new Secret(value)),
  preset: undefined,
  doc,
  takes: minLength > 1 ? `a secret of ${minLength} characters or more` : 'a secret',
});
