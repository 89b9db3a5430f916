import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';

export const SensitiveKind = z
  .enum([
    'secret',
    'iban',
    'payment_card',
    'email',
    'national_id',
    'ip_address',
    'date_of_birth',
    'phone',
    'address',
    'name',
  ])
  .meta({ id: 'SensitiveKind' });

const kinds = () =>
  z.array(SensitiveKind).min(1).max(20).meta({ description: 'What is taken out; all kinds unless sent.' });

const style = () =>
  z.enum(['label', 'mask', 'hash']).meta({
    description:
      '`label`: `[EMAIL]`; `mask`: stars, the last four digits of cards and accounts stay; `hash`: `[EMAIL:1f0c…]`, the ' +
      'same for the same value within the tenant, and of no use to guess it.',
  });

/** What a guard redacts from judged texts. */
export const RedactSetting = z
  .object({ kinds: kinds().optional(), style: style().default('label') })
  .meta({ id: 'RedactSetting' });

const longestText = 1_000_000;

export const redactionOperations = {
  redactText: defineOperation({
    method: 'POST',
    path: '/api/redact',
    tag: 'Content safety',
    summary: 'Take personal data and secrets out of a text',
    description:
      'Finds e-mail addresses, telephone numbers, IBANs and payment cards (by check digit and issuer), national ids of ' +
      'twenty countries, IP addresses, dates of birth, postal addresses, names that the text introduces as such, and ' +
      'secrets: provider keys, private keys, JWTs, passwords in connection strings and after their words. Spelling ' +
      'tricks (invisible characters, digits of other scripts and widths) do not hide them. Nothing is stored or logged.',
    access: 'jwt_or_key',
    body: z
      .object({
        text: z.string().max(longestText).meta({ description: 'At most 1,000,000 UTF-16 code units.' }),
        kinds: kinds().optional(),
        style: style().default('label'),
      })
      .meta({ id: 'RedactRequest' }),
    response: z
      .object({
        redacted_text: z.string(),
        findings: z.array(
          z
            .object({
              kind: SensitiveKind,
              type: z.string().meta({ description: 'More exactly, such as `us_ssn` or `github_token`.' }),
              start: z.int().meta({ description: 'Offset in `text`, in UTF-16 code units.' }),
              end: z.int().meta({ description: 'Offset of the first code unit after it.' }),
              replacement: z.string().meta({ description: 'What replaces it in `redacted_text`.' }),
            })
            .meta({ id: 'SensitiveFinding' }),
        ),
      })
      .meta({ id: 'Redacted' }),
  }),
};
