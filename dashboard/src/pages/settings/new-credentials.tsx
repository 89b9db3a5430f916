import { TextField } from '../../parts/field.tsx';

/** The username and first password of a new user. */
export function NewCredentials({
  nameLabel,
  username,
  onUsername,
  password,
  onPassword,
}: {
  nameLabel: string;
  username: string;
  onUsername: (username: string) => void;
  password: string;
  onPassword: (password: string) => void;
}) {
  return (
    <>
      <TextField
        label={nameLabel}
        value={username}
        onChange={({ target }) => onUsername(target.value)}
        autoComplete="off"
        required
      />
      <TextField
        label="First password"
        type="password"
        value={password}
        onChange={({ target }) => onPassword(target.value)}
        autoComplete="new-password"
        hint="At least 8 characters; they can change it."
        required
        minLength={8}
      />
    </>
  );
}
