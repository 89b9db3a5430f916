import { z } from 'zod';
import { unitInterval } from '#base/contract/fields.ts';
import { Severity } from './severity.ts';

export const BlockingMode = z.enum(['strict', 'severity_level', 'rule_threshold']).meta({
  description:
    '`strict`: every violation blocks. `severity_level`: violations at or above `blocking_level` block, lower ones warn. ' +
    '`rule_threshold`: all violations block when the share of enabled rules that are violated reaches ' +
    '`blocking_threshold`, else all warn.',
});

/** Fields that are left out keep what the policy set says, else the defaults. */
export const BlockingConfig = z
  .object({
    blocking_mode: BlockingMode.nullish().meta({ description: 'Default `severity_level`.' }),
    blocking_level: Severity.nullish().meta({
      description: 'Used with `severity_level`; default `Medium`.',
    }),
    blocking_threshold: unitInterval().nullish().meta({
      description: 'Used with `rule_threshold`; default 0, with which one violated rule is enough to block.',
    }),
  })
  .meta({ id: 'BlockingConfig' });
