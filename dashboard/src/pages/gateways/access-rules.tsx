import { Plus } from 'lucide-react';
import { useState } from 'react';
import {
  agentGateway,
  gatewayKeys,
  type AccessControl,
  type AccessRule,
  type Gateway,
} from '../../api/agent-gateway.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField } from '../../parts/field.tsx';
import { SettingsForm } from '../../parts/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { AccessMatrix } from './access-matrix.tsx';
import { useAccessPreview } from './use-access-preview.ts';
import { AccessRuleFields } from './access-rule-fields.tsx';

const defaults = [
  { value: 'allow', label: 'May be called' },
  { value: 'deny', label: 'Is refused' },
] as const;

const newRule: AccessRule = { principals: ['*'], servers: ['*'], tools: ['*'], effect: 'deny' };

/** The access rules, and a preview of their effect for each user and tool before they are saved. */
export function AccessRules({ gateway, editable }: { gateway: Gateway; editable: boolean }) {
  const [control, setControl] = useState<AccessControl>(gateway.access_control);
  const preview = useAccessPreview(gateway.id, control, editable);
  const names = { ...gateway.principal_names, ...preview.query.data?.principal_names };
  const setRules = (rules: AccessRule[]) => setControl({ ...control, rules });
  return (
    <div className="grid gap-6">
      <Panel
        title="Rules"
        note="A rule that denies wins over one that allows. What no rule applies to is decided by “Everything else”."
      >
        <SettingsForm
          editable={editable}
          run={() =>
            agentGateway.updateGateway({
              params: { gateway_id: gateway.id },
              body: { access_control: control },
            })
          }
          changes={gatewayKeys.gateways}
        >
          <fieldset disabled={!editable} className="grid min-w-0 gap-4">
            {control.rules.length > 0 && (
              <ol className="grid gap-3">
                {control.rules.map((rule, i) => (
                  <AccessRuleFields
                    // Rules have no id; the matrix refers to them by position.
                    // oxlint-disable-next-line react/no-array-index-key
                    key={i}
                    place={i + 1}
                    rule={rule}
                    names={names}
                    onChange={(next) => setRules(control.rules.map((each, at) => (at === i ? next : each)))}
                    onRemove={() => setRules(control.rules.filter((_, at) => at !== i))}
                  />
                ))}
              </ol>
            )}
            {editable && (
              <Button
                size="small"
                className="justify-self-start"
                onClick={() => setRules([...control.rules, newRule])}
              >
                <Plus className="size-3.5" aria-hidden /> Add a rule
              </Button>
            )}
            <div className="max-w-xs">
              <SelectField
                label="Everything else"
                value={control.default}
                options={defaults}
                onChoice={(next) => setControl({ ...control, default: next })}
              />
            </div>
          </fieldset>
        </SettingsForm>
      </Panel>
      {editable && <AccessMatrix preview={preview} />}
    </div>
  );
}
