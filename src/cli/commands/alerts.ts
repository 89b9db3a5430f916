import { Option, type Command } from 'commander';
import { measureNames, measures, type MeasureName } from '#alerts/contract/measures.ts';
import { plain } from '#base/log/plain.ts';
import { openAlerts, subjectOf, theOne, type AlertOptions, type Channel, type Rule } from '../alerts/open.ts';
import { printAlerts, ruleInWords } from '../alerts/print.ts';
import { numberFrom } from '../number-option.ts';
import { whoSignsIn } from '../sign-in-option.ts';

interface NewRule extends AlertOptions {
  measure: MeasureName;
  threshold: number;
  subject?: string;
  window: number;
  minCount: number;
}

interface NewChannel extends AlertOptions {
  mail?: string[];
  webhook?: string;
  slack?: string;
}

const idOfRule = { idOf: (rule: Rule) => rule.rule_id, what: 'alert rule' };
const idOfChannel = { idOf: (channel: Channel) => channel.channel_id, what: 'channel' };

const withConnection = (command: Command): Command =>
  command
    .option('--as <username>', whoSignsIn)
    .option('--tenant <name>', 'the tenant to sign in at (default: system)')
    .option('--url <address>', 'the policy guard (default: BULWARK_URL, else as configured)')
    .option('--json', 'print JSON');

function show<T>({ json = false }: AlertOptions, answer: T, print: (answer: T) => void): void {
  if (json) console.log(JSON.stringify(answer, null, 2));
  else print(answer);
}

function addRules(alerts: Command): void {
  withConnection(alerts.command('list'))
    .description('the rules with their state, and who is told')
    .action(async (options: AlertOptions) => {
      const client = await openAlerts(options);
      const [{ rules }, { channels }] = [await client.listAlertRules({}), await client.listAlertChannels({})];
      show(options, { rules, channels }, () => printAlerts(rules, channels));
    });
  withConnection(alerts.command('create'))
    .description('add a rule')
    .argument('<name>', 'what is wrong when it fires')
    .addOption(
      new Option('--measure <measure>', 'what is measured').choices(measureNames).makeOptionMandatory(),
    )
    .requiredOption(
      '--threshold <value>',
      'fires from here on: 0.25 is 25 % of a share, 10 is ten of a count',
      numberFrom(0, 1e9, false),
    )
    .option('--subject <id or name>', 'one guard, policy set, gateway or service (default: all together)')
    .option('--window <minutes>', 'what is looked back on', numberFrom(1, 1440, true), 15)
    .option(
      '--min-count <number>',
      'a share does not fire while fewer were counted',
      numberFrom(1, 1_000_000, true),
      20,
    )
    .action(async (name: string, options: NewRule) => {
      const client = await openAlerts(options);
      const { measure, threshold, window, minCount, subject } = options;
      const rule = await client.createAlertRule({
        body: {
          name,
          measure,
          threshold,
          window_minutes: window,
          min_count: minCount,
          subject: subject === undefined ? null : await subjectOf(client, measures[measure].source, subject),
        },
      });
      show(options, rule, () => console.log(`Added ${rule.rule_id}. ${ruleInWords(rule)}.`));
    });
  withConnection(alerts.command('delete'))
    .description('delete a rule; its history stays')
    .argument('<rule>', 'its id or its name')
    .action(async (wanted: string, options: AlertOptions) => {
      const client = await openAlerts(options);
      const rule = theOne((await client.listAlertRules({})).rules, wanted, idOfRule);
      const answer = await client.deleteAlertRule({ params: { rule_id: rule.rule_id } });
      show(options, answer, () => console.log(`Deleted the rule ${plain(rule.name)}.`));
    });
}

/** @throws Error where not exactly one kind is given */
function channelOf(name: string, { mail, webhook, slack }: NewChannel, command: Command) {
  const given = [
    ...(mail === undefined ? [] : [{ name, kind: 'mail' as const, mail_to: mail }]),
    ...(webhook === undefined ? [] : [{ name, kind: 'webhook' as const, url: webhook }]),
    ...(slack === undefined ? [] : [{ name, kind: 'slack' as const, url: slack }]),
  ];
  const [channel] = given;
  if (channel === undefined || given.length > 1)
    return command.error('error: say where alerts are sent, with one of --mail, --webhook and --slack');
  return channel;
}

function addChannels(alerts: Command): void {
  withConnection(alerts.command('create-channel'))
    .description('add a place that alerts are sent to')
    .argument('<name>', 'who is told')
    .option('--mail <addresses...>', 'mail addresses')
    .option('--webhook <url>', 'a signed webhook; its secret is printed once')
    .option('--slack <url>', 'an incoming webhook of Slack')
    .action(async (name: string, options: NewChannel, command: Command) => {
      const body = channelOf(name, options, command);
      const client = await openAlerts(options);
      const channel = await client.createAlertChannel({ body });
      show(options, channel, () => {
        console.log(`Added ${channel.channel_id}. Try it: bulwark alerts test ${channel.channel_id}`);
        if (channel.secret !== null) console.log(`Its secret, shown only now: ${channel.secret}`);
      });
    });
  withConnection(alerts.command('test'))
    .description('send a test to a channel')
    .argument('<channel>', 'its id or its name')
    .action(async (wanted: string, options: AlertOptions) => {
      const client = await openAlerts(options);
      const channel = theOne((await client.listAlertChannels({})).channels, wanted, idOfChannel);
      const answer = await client.testAlertChannel({ params: { channel_id: channel.channel_id } });
      show(options, answer, () => console.log(`A test is on its way to ${plain(channel.target)}.`));
    });
  withConnection(alerts.command('delete-channel'))
    .description('remove a place that alerts are sent to')
    .argument('<channel>', 'its id or its name')
    .action(async (wanted: string, options: AlertOptions) => {
      const client = await openAlerts(options);
      const channel = theOne((await client.listAlertChannels({})).channels, wanted, idOfChannel);
      const answer = await client.deleteAlertChannel({ params: { channel_id: channel.channel_id } });
      show(options, answer, () => console.log(`Removed the channel ${plain(channel.name)}.`));
    });
}

/** `bulwark alerts list | create | delete | create-channel | test | delete-channel`. */
export function addAlertsCommand(program: Command): void {
  const alerts = program
    .command('alerts')
    .description('rules that tell you by mail, webhook or Slack; for administrators');
  addRules(alerts);
  addChannels(alerts);
}
