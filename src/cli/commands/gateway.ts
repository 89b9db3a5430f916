import { Option, type Command } from 'commander';
import { parse } from 'yaml';
import { yamlProblem } from '#base/config/parse-yaml.ts';
import { invalid } from '#base/errors.ts';
import { clientIds, clientSetup, signIns, type SignIn } from '#services/agent-gateway/contract/clients.ts';
import { readText } from '../files.ts';
import { attach, type AttachOptions } from '../gateway/attach.ts';
import { findGateway, type GatewayOptions, isGatewayId, openGatewayService } from '../gateway/open.ts';
import { numberFrom } from '../number-option.ts';
import { printAttached, printCalls, printGateways, printSetup, printStatus } from '../gateway/print.ts';
import { plain } from '#base/log/plain.ts';
import { exitCodes } from '../exit-codes.ts';

interface CreateOptions extends GatewayOptions {
  policySet?: string;
  guardMode?: 'enforce' | 'observe';
  outputGuard?: 'off' | 'warn' | 'block';
  pinTools?: 'off' | 'warn' | 'block';
  callsPerMinute?: number;
  access?: string;
}

interface CallsOptions extends GatewayOptions {
  limit: number;
  offset: number;
  tool?: string;
  user?: string;
  denied?: boolean;
  export?: 'csv' | 'jsonl';
}

const withConnection = (command: Command): Command =>
  command
    .option(
      '--as <username>',
      'who signs in where BULWARK_API_KEY is not set (default: admin; BULWARK_PASSWORD)',
    )
    .option('--tenant <name>', 'their tenant (default: system)')
    .option('--url <address>', 'the agent gateway (default: BULWARK_AGENT_GATEWAY_URL, else as configured)')
    .option('--json', 'print JSON');

function show<T>(options: GatewayOptions, answer: T, print: (answer: T) => void): void {
  if (options.json === true) console.log(JSON.stringify(answer, null, 2));
  else print(answer);
}

/** Access rules as the contract has them, from YAML or JSON. */
function readAccess(path: string) {
  const source = readText(path, 'file of access rules');
  try {
    return parse(source) as { rules: { effect: 'allow' | 'deny' }[] };
  } catch (cause) {
    throw invalid(`${path} is neither YAML nor JSON: ${yamlProblem(cause)}`, cause);
  }
}

function addCreate(gateway: Command): void {
  const watches = ['off', 'warn', 'block'];
  withConnection(gateway.command('create'))
    .description('make a gateway')
    .argument('<name>', 'its display name')
    .option(
      '--policy-set <agp_…>',
      'policy set that the action guard checks each call against; agp_default has the built-in rules',
    )
    .addOption(new Option('--guard-mode <mode>', 'block calls, or only log').choices(['enforce', 'observe']))
    .addOption(
      new Option('--output-guard <what>', 'how to treat instructions in tool results').choices(watches),
    )
    .addOption(
      new Option('--pin-tools <what>', 'how to treat tools that change after they were first seen').choices(
        watches,
      ),
    )
    .option(
      '--calls-per-minute <number>',
      'of each caller (default: no limit)',
      numberFrom(1, 1_000_000, true),
    )
    .option('--access <file>', 'YAML or JSON with `default` and `rules`: who may call what')
    .action(async (name: string, options: CreateOptions) => {
      const { policySet, guardMode, outputGuard, pinTools, callsPerMinute, access } = options;
      const body = {
        name,
        ...(policySet !== undefined && { action_guard_policy_id: policySet }),
        ...(guardMode !== undefined && { guard_mode: guardMode }),
        ...(outputGuard !== undefined && { output_guard: outputGuard }),
        ...(pinTools !== undefined && { pin_tools: pinTools }),
        ...(callsPerMinute !== undefined && { rate_limit: { calls_per_minute: callsPerMinute } }),
        ...(access !== undefined && { access_control: readAccess(access) }),
      };
      const made = await (await openGatewayService(options)).gateways.createGateway({ body });
      const { same_name_ids: others = [] } = made;
      if (others.length > 0) process.stderr.write(`bulwark: ${sameName(name, others)}\n`);
      show(options, made, ({ id }) => {
        console.log(id);
        process.stderr.write(`Attach a server next: bulwark gateway attach ${id} …\n`);
      });
    });
}

/** Names need not be unique; who has two gateways of one name is told how to name one of them. */
const sameName = (name: string, others: readonly string[]): string =>
  `There ${others.length === 1 ? 'is another gateway' : `are ${others.length} other gateways`} named ${JSON.stringify(plain(name))}: ${others.join(', ')}. Name each by its id.`;

function addAttach(gateway: Command): void {
  withConnection(gateway.command('attach'))
    .description('attach a server to a gateway: a registered one, or one defined by these options')
    .argument('<gateway>', 'its id or name')
    .argument('[server...]', 'mcp_…, or after -- the command of a stdio server')
    .option('--http <url>', 'a server that speaks streamable HTTP')
    .option('--sse <url>', 'a server that speaks the older event-stream transport')
    .option('--name <name>', 'what the server is called')
    .option(
      '--env <NAME=value>',
      'environment variable for the command (it gets no others); repeatable',
      (pair: string, all: string[]) => [...all, pair],
      [],
    )
    .option('--prefix <text>', 'before the names of its tools (default: its name and __; "" for none)')
    .addHelpText(
      'after',
      `
  bulwark gateway attach team --http https://mcp.example.com/mcp
  bulwark gateway attach team --name files -- npx -y @modelcontextprotocol/server-filesystem /data

Exits with ${exitCodes.failed} where the server does not answer. A command that does not start is not attached; an address
stays attached, and is asked again.
`,
    )
    .action(async (idOrName: string, words: string[], options: GatewayOptions & AttachOptions) => {
      const service = await openGatewayService(options);
      // Commander takes `--` away.
      const isCommand = process.argv.includes('--');
      const gatewayToUse = await findGateway(service, idOrName);
      const attached = await attach(service, gatewayToUse, { words, isCommand, options });
      show(options, attached, printAttached);
      if (attached.problem === null) return;
      const stays = attached.attached ? ` ${attached.mcp_server_id} stays attached, and is asked again.` : '';
      process.stderr.write(`bulwark: ${plain(attached.message)}${stays}\n`);
      process.exitCode = exitCodes.failed;
    });
}

function addLifecycle(gateway: Command): void {
  const one = (verb: string, description: string) =>
    withConnection(gateway.command(verb)).description(description).argument('<gateway>', 'its id or name');
  one('start', 'start a gateway').action(async (idOrName: string, options: GatewayOptions) => {
    const service = await openGatewayService(options);
    const { id } = await findGateway(service, idOrName);
    const started = await service.gateways.startGateway({ params: { gateway_id: id } });
    show(options, started, ({ mcp_url: url }) => console.log(url));
  });
  one('stop', 'stop a gateway; calls in flight have a moment to end').action(
    async (idOrName: string, options: GatewayOptions) => {
      const service = await openGatewayService(options);
      const { id } = await findGateway(service, idOrName);
      const stopped = await service.gateways.stopGateway({ params: { gateway_id: id } });
      show(options, stopped, ({ message }) => console.log(message));
    },
  );
  one('status', 'whether a gateway runs, and how its servers are').action(
    async (idOrName: string, options: GatewayOptions) => {
      const service = await openGatewayService(options);
      const { id } = await findGateway(service, idOrName);
      show(options, await service.gateways.getGatewayStatus({ params: { gateway_id: id } }), printStatus);
    },
  );
  withConnection(gateway.command('list'))
    .description('the gateways of the tenant')
    .action(async (options: GatewayOptions) => {
      const service = await openGatewayService(options);
      const { items } = await service.gateways.listGateways({ query: { limit: 1000, offset: 0 } });
      show(options, items, printGateways);
    });
}

function addCalls(gateway: Command): void {
  withConnection(gateway.command('calls'))
    .description('the audit log of a gateway, the newest calls last')
    .argument('<gateway>', 'its id or name; of a deleted one its id, for administrators')
    .option('--limit <number>', 'how many', numberFrom(1, 1000, true), 20)
    .option('--offset <number>', 'how many of the newest to leave out', numberFrom(0, 1e9, true), 0)
    .option('--tool <name>', 'only calls of this tool')
    .option('--user <name>', 'only calls of this user, and of their keys and clients')
    .option('--denied', 'only those that were refused')
    .addOption(
      new Option(
        '--export <form>',
        'print all of them, the newest first, whatever --limit and --offset say',
      ).choices(['csv', 'jsonl']),
    )
    .action(async (idOrName: string, asked: CallsOptions) => {
      const { limit, offset, tool, user, denied, export: form, ...options } = asked;
      const service = await openGatewayService(options);
      // The log of a deleted gateway is found by its id alone.
      const id = isGatewayId(idOrName) ? idOrName : (await findGateway(service, idOrName)).id;
      const narrowed = {
        ...(tool !== undefined && { tool_name: tool }),
        ...(user !== undefined && { principal: user }),
        ...(denied === true && { allowed: 'false' as const }),
      };
      if (form !== undefined) {
        const { exportCallsAsCsv, exportCallsAsLines } = service.oversight;
        const query = { gateway_id: id, ...narrowed };
        process.stdout.write(await (form === 'csv' ? exportCallsAsCsv : exportCallsAsLines)({ query }));
        return;
      }
      const answer = await service.oversight.listCalls({
        params: { gateway_id: id },
        query: {
          limit,
          offset,
          ...narrowed,
        },
      });
      show(options, answer, ({ calls, total }) => printCalls(calls, total));
    });
}

type ConfigOptions = GatewayOptions & { signIn: SignIn };

function addConfig(gateway: Command): void {
  withConnection(gateway.command('config'))
    .description('print the configuration of an AI client for this gateway')
    .addArgument(gateway.createArgument('<client>', 'the client').choices([...clientIds]))
    .argument('<gateway>', 'its id or name')
    .addOption(
      gateway
        .createOption('--sign-in <how>', 'authenticate by API key, or by the user’s sign-in in a browser')
        .choices([...signIns])
        .default('key'),
    )
    .action(async (client: string, idOrName: string, { signIn, ...options }: ConfigOptions) => {
      const service = await openGatewayService(options);
      const { id, name } = await findGateway(service, idOrName);
      const { mcp_url: mcpUrl } = await service.gateways.getGatewayStatus({ params: { gateway_id: id } });
      const setup = clientSetup(client, { name, mcpUrl, signIn });
      if (setup === undefined) throw invalid(`${client} takes an API key: leave --sign-in ${signIn} out.`);
      show(options, setup, printSetup);
    });
}

/** `bulwark gateway …`. */
export function addGatewayCommand(program: Command): void {
  const gateway = program
    .command('gateway')
    .description('guarded MCP endpoints in front of MCP servers (key in BULWARK_API_KEY, else a sign-in)');
  addCreate(gateway);
  addAttach(gateway);
  addLifecycle(gateway);
  addCalls(gateway);
  addConfig(gateway);
}
