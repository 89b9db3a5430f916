import type { Handlers } from '#base/http/mount.ts';
import type { Catalogue } from '#engine/shadow-ai/catalogue.ts';
import type { Caller } from '#identity/caller.ts';
import type { ruleOperations } from '../contract/rules.ts';
import type { Rules, TenantRule } from './rules.ts';

const viewRule = ({ rule, override }: TenantRule) => ({
  id: rule.id,
  name: rule.name,
  version: rule.version,
  severity: rule.severity,
  confidence: rule.confidence,
  category: rule.category,
  ...(rule.subcategory !== undefined && { subcategory: rule.subcategory }),
  description: rule.description,
  match: {
    process_names: [...rule.names],
    cli_patterns: [...rule.patterns],
    dst_domains: [...rule.hosts],
    dns_hostname_suffixes: [...rule.suffixes],
    api_domains: [...rule.apiHosts],
  },
  tags: [...rule.tags],
  mitre: rule.techniques.length === 0 ? null : [...rule.techniques],
  enabled: override?.enabled ?? true,
  severity_override: override?.severity ?? null,
});

export const ruleHandlers = (
  rules: Rules,
  { categories }: Catalogue,
): Handlers<typeof ruleOperations, Caller> => ({
  listRules: async ({ caller, query }) => ({
    categories: categories.map((category) => ({ ...category })),
    rules: (await rules.list(caller, query.tenant_id)).map(viewRule),
  }),
  async updateRule({ caller, params, query, body, request }) {
    const change = { ruleId: params.rule_id, enabled: body.enabled, severity: body.severity_override };
    const [rule] = await rules.change({
      changes: [change],
      caller,
      tenantId: query.tenant_id,
      request,
      one: true,
    });
    if (rule === undefined) throw new Error(`The rule ${params.rule_id} is gone.`);
    return viewRule(rule);
  },
  async updateRules({ caller, query, body, request }) {
    const changes = body.rules.map(({ rule_id, enabled, severity_override }) => ({
      ruleId: rule_id,
      enabled,
      severity: severity_override,
    }));
    const changed = await rules.change({ changes, caller, tenantId: query.tenant_id, request });
    return { updated: changed.length, rules: changed.map(viewRule) };
  },
});
