import { z } from 'zod';
import { isoTime, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { userName } from '#identity/contract/sharing.ts';
import { Deleted } from './policies.ts';

/** Entries of one guard. */
export const mostEntries = 500;
export const longestPattern = 200;
/** Longer texts are never on an allow-list, and longer ones than the second never match a pattern. */
export const longestAllowed = 20_000;
export const longestMatched = 4_096;

const tag = 'Allow-lists';

const kind = () => z.enum(['exact', 'pattern']);

const entry = z
  .object({
    entry_id: z.string(),
    kind: kind(),
    content: z.string(),
    reason: z.string(),
    expires_at: isoTime().nullable(),
    expired: z
      .boolean()
      .meta({ description: 'An expired entry allows nothing; it is listed until it is deleted.' }),
    created_by: z.string().meta({ description: 'The user.' }),
    created_by_name: userName(),
    created_at: isoTime(),
  })
  .meta({ id: 'AllowListEntry' });

const params = z.object({ guard_uuid: z.string().min(1).max(100) });

const whose =
  'For the owner of the guard and administrators; one that is only shared with the caller answers 403, any other 404.';

export const allowListOperations = {
  listAllowed: defineOperation({
    method: 'GET',
    path: '/api/guards/{guard_uuid}/allow_list',
    tag,
    summary: 'The texts that a guard lets pass, newest first',
    description: whose,
    access: 'jwt',
    params,
    response: z.object({ entries: z.array(entry), total: z.int() }).meta({ id: 'AllowList' }),
    errors: [403, 404],
  }),
  allow: defineOperation({
    method: 'POST',
    path: '/api/guards/{guard_uuid}/allow_list',
    tag,
    summary: 'Let a text pass, or all that match a pattern',
    description:
      'A text on the list is not judged; the answer names the entry in `allowed_by`, and the query log keeps it. Texts ' +
      'and patterns are compared with the whole text, after compatibility normalisation (NFKC), in any case, with each ' +
      `run of white space as one space. Texts above ${longestAllowed.toLocaleString('en')} characters are never allowed, ` +
      `above ${longestMatched.toLocaleString('en')} not by a pattern. A pattern is a regular expression of characters, ` +
      '`.`, classes (`[a-z0-9]`, `[^…]`, `\\d`, `\\w`, `\\s` and their opposites), groups, `|` and the quantifiers `*`, ' +
      '`+`, `?`, `{m}`, `{m,}`, `{m,n}`; it has no anchors (it always matches the whole text), no back references and ' +
      'no look-around, so that it takes time in proportion to the text, whatever it is. Each way through it must have ' +
      'at least four fixed characters. Beware of `.*`: any text in its place is not judged either. ' +
      `At most ${mostEntries} entries, and 2,000 states of patterns together; more, or the same entry twice: 409. ` +
      `The guard’s \`version\` rises. ${whose}`,
    access: 'jwt',
    params,
    body: z
      .object({
        kind: kind().default('exact'),
        content: storedText({ min: 1, max: 8_000 }).meta({
          description: `The text, or the pattern (${longestPattern} characters at most).`,
        }),
        reason: storedText({ min: 3, max: 500 }).meta({
          description: 'Why it is harmless, for those who ask later.',
        }),
        expires_at: isoTime().nullable().default(null).meta({ description: 'In the future; null: never.' }),
      })
      .meta({ id: 'AllowRequest' }),
    status: 201,
    response: entry,
    errors: [403, 404, 409],
  }),
  disallow: defineOperation({
    method: 'DELETE',
    path: '/api/guards/{guard_uuid}/allow_list/{entry_id}',
    tag,
    summary: 'Judge a text again',
    description: `The guard’s \`version\` rises. ${whose}`,
    access: 'jwt',
    params: z.object({
      guard_uuid: z.string().min(1).max(100),
      entry_id: z.string().min(1).max(100),
    }),
    response: Deleted,
    errors: [403, 404],
  }),
};
