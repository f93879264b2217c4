import type { VNode, TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { signIn } from '../../client';
import { ErrorNote, Field, useDeed } from '../../parts';
import { endedBecause } from '../../session';

/** The way in: a key of the admin API, exchanged for a session. The address that was asked for stays. */
export default function SignIn(): VNode {
  const { isRunning, error, run } = useDeed(signIn);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    document.title = 'Sign in · dueday';
    form.current?.querySelector('input')?.focus();
  }, []);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('key');
    const key = typeof typed === 'string' ? typed.trim() : '';
    void run(key);
  };
  return (
    <main class="alone">
      <h1>dueday</h1>
      {endedBecause.value === null ? null : (
        <p class="note" role="status">
          {endedBecause.value}
        </p>
      )}
      <form ref={form} onSubmit={submit}>
        <Field
          label="Key"
          hint="A key of the admin API. It is exchanged for a session and kept nowhere in this browser."
        >
          <input name="key" type="password" autoComplete="off" spellcheck={false} required />
        </Field>
        {error === null ? null : <ErrorNote error={error} />}
        <button type="submit" class="main" disabled={isRunning}>
          {isRunning ? 'Signing in …' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}
