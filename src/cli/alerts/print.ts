import { measures, valueInWords } from '#alerts/contract/measures.ts';
import { plain } from '#base/log/plain.ts';
import type { Channel, Rule } from './open.ts';

const states = { off: 'off', waiting: 'not evaluated yet', ok: 'ok', firing: 'FIRING' } as const;

export function ruleInWords(rule: Rule): string {
  const { label, subject: kind } = measures[rule.measure];
  const about = rule.subject === null ? '' : `, ${kind} ${rule.subject_name ?? rule.subject}`;
  const limit = valueInWords(rule.measure, rule.threshold);
  return plain(`${label}${about}: ${limit} or more in ${rule.window_minutes} min`);
}

function printRule(rule: Rule): void {
  const value = rule.value === null ? '' : ` (${valueInWords(rule.measure, rule.value)} now)`;
  const muted = rule.muted_until === null ? '' : `, muted until ${rule.muted_until}`;
  console.log(`${plain(rule.name)}  ${rule.rule_id}`);
  console.log(`  ${ruleInWords(rule)}`);
  console.log(`  ${states[rule.state]}${value}${muted}`);
}

function printChannel({ name, kind, target, problem, channel_id: id }: Channel): void {
  console.log(`${plain(name)}  ${id}`);
  console.log(`  ${kind}: ${plain(target)}`);
  if (problem !== null) console.log(`  Nothing is sent there: ${plain(problem)}`);
}

/** Rules and channels, with what is missing. */
export function printAlerts(rules: readonly Rule[], channels: readonly Channel[]): void {
  console.log(`Rules: ${rules.length}`);
  for (const rule of rules) printRule(rule);
  console.log(`\nTold: ${channels.length}`);
  for (const channel of channels) printChannel(channel);
  if (rules.length === 0)
    console.log(
      '\nAdd a rule: bulwark alerts create "Chat is attacked" --measure flag_rate --threshold 0.25',
    );
  if (channels.length === 0)
    console.log(
      '\nNobody is told. Add a channel: bulwark alerts create-channel Team --mail team@example.com',
    );
}
