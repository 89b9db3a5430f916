/** Which commands destroy what runs in a cloud, a cluster or a virtual machine: the first verb of the line says it. */
import type { Command } from './shell-command.ts';

const destroying =
  /^(?:destroy|delete|del|rm|rmi|rb|prune|uninstall|un|purge|drain|remove|nuke|terminate|terminate-instances|(?:delete|destroy|terminate|purge)-[a-z-]+|[a-z0-9-]+:(?:destroy|delete|reset|remove))$/;
/** What only looks, or does something else: behind it stand names. */
const otherwise =
  /^(?:get|describe|logs?|top|ps|inspect|list|ls|status|show|plan|history|version|explain|diff|events|help|cp|mv|sync|apply|create|run|exec|deploy|install|upgrade|edit|patch|set|scale|rollout|label|annotate|start|stop|restart|build|pull|push|template|lint|search|init|validate|fmt|output|config|auth|preview|(?:get|list|describe|create|put|update|start|stop|run|head)-.*)$/;

/** Flags that take a value before the verb: `kubectl -n prod delete`. */
const valued = new Set(
  '-n --namespace --context --kubeconfig --cluster --profile --region --project --subscription --output -o -C --stack -s -a --app -H --host'.split(
    ' ',
  ),
);

/** Words of the line without flags and their values. */
function plainWords(rest: readonly string[]): string[] {
  const words: string[] = [];
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? '';
    if (valued.has(word)) at += 1;
    else if (!word.startsWith('-')) words.push(word.toLowerCase());
  }
  return words;
}

/** The service, its part and the verb: `gcloud compute instances delete`. */
const mostBefore = 5;

const isTerraform = (name: string) => /^(?:terraform|tofu|terragrunt)$/.test(name);

/** Programs that speak to a cluster, a cloud or what stands for one. */
const programs = new Set(
  'kubectl oc helm helmfile docker docker-compose podman terraform tofu terragrunt pulumi cdk serverless sls vagrant aws gcloud gsutil bq az azcopy doctl eksctl heroku fly flyctl firebase vercel netlify ibmcloud linode-cli hcloud rclone s3cmd mc minikube kind openstack nomad consul etcdctl gh'.split(
    ' ',
  ),
);

/** `docker compose down -v`: the volumes go with what uses them. */
const dropsVolumes = ({ rest }: Command, words: readonly string[]) =>
  words.slice(0, 2).includes('down') && rest.some((word) => /^(?:-v|--volumes|--rmi)/.test(word));

const byTerraform = ({ rest }: Command, words: readonly string[]): boolean =>
  words.slice(0, 2).some((word) => /^(?:destroy|delete)$/.test(word)) ||
  (words[0] === 'state' && words[1] === 'rm') ||
  (words[0] === 'apply' && rest.some((word) => /^-{1,2}destroy$/.test(word)));

/** Whether the command, which is no request for help and no trial, takes away what runs or is kept there. */
export function destroysService(command: Command): boolean {
  const { name, rest } = command;
  if (!programs.has(name)) return false;
  const words = plainWords(rest);
  if (words[0] === 'help' || words.at(-1) === 'help') return false;
  if (dropsVolumes(command, words)) return true;
  if (isTerraform(name)) return byTerraform(command, words);
  if (name === 'gh' && words[0] !== 'repo') return false;
  const verb = words.slice(0, mostBefore).find((word) => destroying.test(word) || otherwise.test(word));
  return verb !== undefined && destroying.test(verb);
}
