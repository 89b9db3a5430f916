/** What secrets are called, in settings, in variables and in the environment. */

const spelt = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

const secret =
  /(?:^|[_-])(?:pass(?:word|wd|phrase)?|pwd|secret|api_?key|apikey|access_?key|private_?key|secret_?key|signing_?key|master_?key|encryption_?key|service_?key|(?:access|refresh|auth|bearer|api|bot|admin|github|gitlab|slack|user|personal_access)_?token|pat|credentials?|client_?secret|webhook_?secret|jwt_?(?:secret|key)|dsn|conn(?:ection)?_?str(?:ing)?|(?:db|database|postgres(?:ql)?|pg|mysql|mongo(?:db)?|redis|amqp|rabbitmq|broker)_?(?:url|uri))$|(?:password|secret|token)$/;
const noSecret =
  /^(?:next|page|continuation|sync|csrf|cancel\w*|progress|max|min|total|prompt|completion|input|output|has|is|use|needs|no|with)_|(?:^|_)(?:public|page)_?(?:key|token)|(?:tokens|_count|_type|_name|_id|_hint|_hash|_length|_set|_field|_header|_url_path)$/;

/** Whether a setting of this name is one that only its owner may see. */
export function isSecretName(name: string): boolean {
  const bare = spelt(name);
  return secret.test(bare) && !noSecret.test(bare);
}

/** Settings of the machine are called so: `STORE_KEY`, `DATABASE_URL`. */
export const isSecretSetting = (name: string): boolean =>
  isSecretName(name) || (name.endsWith('_KEY') && !/PUBLIC|PRIMARY|SORT|PARTITION/.test(name));

/** Whose fields are settings. */
export const holdsSettings = (name: string): boolean =>
  /^(?:this|self|config\w*|cfg|conf|settings?|env|environment|options|opts|credentials?|creds|secrets?|app_?config|server_?config|connection|db_?config|\w+(?:Config|Settings|Credentials|_config|_settings))$/i.test(
    name,
  );
