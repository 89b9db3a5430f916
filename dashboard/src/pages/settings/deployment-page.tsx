import { useQuery } from '@tanstack/react-query';
import { deployment, type Setting } from '../../api/deployment.ts';
import { PageHead, Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { CacheSettings } from './cache-settings.tsx';
import { LanguageModelSettings } from './language-model-settings.tsx';
import { AllSettings } from './all-settings.tsx';
import { SettingList } from './setting-list.tsx';

const begins = (prefix: string) => (setting: Setting) => setting.path.startsWith(prefix);

/** The configuration of the deployment: language model, cache, retention and all settings. */
export function DeploymentPage() {
  const configuration = useQuery({
    queryKey: ['configuration'],
    queryFn: () => deployment.getConfiguration(),
    staleTime: 60_000,
  });
  return (
    <>
      <PageHead
        title="Deployment"
        lead="Set in the configuration file or the environment, and in force from the next start on. What is shown here holds now."
      />
      <QueryView query={configuration}>
        {({ settings }) => (
          <Tabs
            label="Parts of the deployment"
            parts={[
              {
                value: 'language-model',
                name: 'Language model',
                content: () => (
                  <LanguageModelSettings
                    settings={[
                      ...settings.filter(begins('llm.')),
                      ...settings.filter(begins('policy_guard_judge.')),
                    ]}
                  />
                ),
              },
              {
                value: 'cache',
                name: 'Cache',
                content: () => (
                  <CacheSettings
                    settings={settings.filter(
                      (setting) =>
                        begins('cache.')(setting) ||
                        begins('redis.')(setting) ||
                        setting.path === 'policy_guard.cache_by_default',
                    )}
                  />
                ),
              },
              {
                value: 'retention',
                name: 'Retention',
                content: () => (
                  <Panel title="How long things are kept" className="max-w-4xl">
                    <SettingList
                      settings={settings.filter(({ path }) => /retention_days$|\.log_/.test(path))}
                    />
                  </Panel>
                ),
              },
              {
                value: 'all',
                name: 'All settings',
                content: () => <AllSettings settings={settings} />,
              },
            ]}
          />
        )}
      </QueryView>
    </>
  );
}
