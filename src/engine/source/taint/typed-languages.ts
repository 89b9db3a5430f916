/** Functions and methods of Go, Java and Rust. */
import { sameCommand } from './commands.ts';
import { pathOf } from './frame.ts';
import type { Model } from './model.ts';
import { requestTo, requestWith } from './requests.ts';
import { allowedTypes, defaultTyping, hardenedXml } from './java-settings.ts';
import { hasRanges } from './address-checks.ts';
import { factsOf } from './checks.ts';
import { standardInput } from './lines-of-clients.ts';
import { rustValues } from './rust-values.ts';
import { clean } from './value.ts';

/** Numbers and booleans: nothing of the text is left. */
const nothingLeft: Model = () => clean;

/** `request.Context()` */
const ofGoRequest: Model = ({ frame, args }) =>
  frame.module.grammar === 'go' && args.length === 0 ? clean : undefined;

/** `in.setObjectInputFilter(filter)`: what is read from then on is what the filter lets through. */
const filteredObjects: Model = ({ called: { objectExpression }, args, machine, frame }) => {
  const path = objectExpression === undefined ? undefined : pathOf(objectExpression);
  const text =
    args[0] === undefined ? '' : frame.module.text.slice(args[0].expression.at, args[0].expression.end);
  // One that only denies lets all through that nobody thought of.
  const isDenying = /createFilter\(\s*"/.test(text) && !/!\*"/.test(text);
  if (path !== undefined && !isDenying)
    machine.learn([{ path, bits: machine.rules.bitOf('unsafe-deserialization') }], frame);
  return clean;
};

/** `address.isSiteLocalAddress()`: where it is not, it lies outside, if the other kinds are asked for as well. */
const outsideOnly: Model = ({ called: { object }, machine, frame: { fn, module } }) => {
  if (object === undefined || fn === undefined || !hasRanges(module.text.slice(fn.at, fn.end)))
    return undefined;
  const bits = machine.rules.bitOf('server-side-request-forgery');
  return { taints: [], check: { yes: [], no: factsOf(object, bits, machine) } };
};

/** By the names of what is called, as in the library of all languages. */
export const typedLanguages: readonly (readonly [names: string, model: Model])[] = [
  ['http.NewRequest retryablehttp.NewRequest httptest.NewRequest', requestTo(1)],
  ['http.NewRequestWithContext retryablehttp.NewRequestWithContext', requestTo(2)],
  [
    '**.header **.headers **.setHeader **.addHeader **.POST **.PUT **.PATCH **.method **.timeout',
    requestWith,
  ],
  [
    '**.parse_number **.intValue **.longValue **.doubleValue **.floatValue **.booleanValue **.asInt **.asLong **.asDouble **.asBoolean **.getAsInt **.getAsLong **.getAsDouble **.getAsBoolean **.as_u64 **.as_i64 **.as_f64 **.as_bool **.GetInt **.RequireInt **.GetFloat **.RequireFloat **.GetBool **.RequireBool **.GetIntSlice **.RequireIntSlice **.QueryInt **.ParamsInt Integer.valueOf Long.valueOf Double.valueOf Boolean.parseBoolean Double.parseDouble strconv.ParseFloat strconv.ParseBool strconv.ParseUint',
    nothingLeft,
  ],
  // Of a request in Go, its life: nothing that was sent.
  ['**.Context **.UserContext', ofGoRequest],
  [
    '**.current_dir **.env **.envs **.env_clear **.env_remove **.stdin **.stdout **.stderr **.kill_on_drop **.uid **.gid **.process_group **.creation_flags **.arg0 **.groups',
    sameCommand,
  ],
  [
    'bufio.NewReaderSize json.NewDecoder io.ReadAll Scanner java.util.Scanner InputStreamReader java.io.InputStreamReader',
    standardInput,
  ],
  ['**.setObjectInputFilter', filteredObjects],
  [
    '**.setFeature **.setProperty **.setAttribute **.setExpandEntityReferences **.setEntityResolver **.setXMLResolver',
    hardenedXml,
  ],
  [
    '**.allowTypes **.allowTypesByWildcard **.allowTypesByRegExp **.allowTypeHierarchy **.addPermission **.accept',
    allowedTypes,
  ],
  ['**.enableDefaultTyping **.activateDefaultTyping **.activateDefaultTypingAsProperty', defaultTyping],
  ['**.isSiteLocalAddress', outsideOnly],
  ...rustValues,
];
