/** Functions of libraries of JavaScript that tell of a value what it cannot do. */
import { everythingCheck, factsOf, patternBits } from './checks.ts';
import { type Model, sameThing, valueAt } from './model.ts';
import { cleared } from './value.ts';

/** `isPathInside(child, parent)`: the place of the path among what is given. */
const insideFolder =
  (at: number): Model =>
  (call) => ({
    taints: [],
    check: {
      yes: factsOf(valueAt(call, at), call.machine.rules.bitOf('path-traversal'), call.machine),
      no: [],
    },
  });

/** A text of one form alone, such as an identifier. */
const ofForm =
  (pattern: string): Model =>
  (call) => ({
    taints: [],
    check: {
      yes: factsOf(valueAt(call, 0), patternBits(pattern, call.machine), call.machine),
      no: [],
    },
  });

/** A number, an identifier or a day: nothing that could do harm. */
const plain: Model = (call) => ({
  taints: [],
  check: everythingCheck(valueAt(call, 0), call.machine),
});

/** `safe-regex` and its like: a pattern that does not take for ever. */
const quickPattern: Model = (call) => ({
  taints: [],
  check: {
    yes: factsOf(valueAt(call, 0), call.machine.rules.bitOf('regex-injection'), call.machine),
    no: [],
  },
});

/** What a library makes of a text has letters of this kind alone. */
const madeOf =
  (pattern: string): Model =>
  (call) =>
    cleared({ taints: sameThing(call)?.taints ?? [] }, patternBits(pattern, call.machine));

export const checkingLibraries: readonly (readonly [names: string, model: Model])[] = [
  ['is-path-inside is-path-inside.default path-is-inside is-path-in-cwd', insideFolder(0)],
  ['is-subdir is-subdir.default', insideFolder(1)],
  ['safe-regex safe-regex.default safe-regex2', quickPattern],
  [
    'uuid.validate validator.isUUID validator.isInt validator.isNumeric validator.isMongoId validator.isHexadecimal validator.isMD5 validator.isHash validator.isISO8601 validator.isPort mongodb.ObjectId.isValid mongoose.isValidObjectId mongoose.Types.ObjectId.isValid',
    plain,
  ],
  ['semver.parse semver.valid semver.clean semver.coerce', madeOf('^[0-9][0-9a-zA-Z.+-]*$')],
  [
    'slugify slugify.default @sindresorhus.slugify lodash.kebabCase lodash.snakeCase lodash.camelCase lodash-es.kebabCase lodash-es.snakeCase github-slugger.slug change-case.kebabCase change-case.snakeCase',
    madeOf('^[a-zA-Z0-9][a-zA-Z0-9_-]*$'),
  ],
  ['validator.isAlphanumeric validator.isAlpha', ofForm('^[a-zA-Z0-9]*$')],
  ['validator.isSlug', ofForm('^[a-z0-9][a-z0-9_-]*$')],
  ['validator.isFQDN is-valid-domain is-valid-hostname', ofForm('^[a-z0-9][a-z0-9.-]*$')],
  ['net.isIP net.isIPv4 net.isIPv6 validator.isIP', ofForm('^[0-9a-f][0-9a-f.:]*$')],
];
