import type { VNode, TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { signIn } from '../../client';
import { ErrorNote, Field, useTask } from '../../parts';
import { endedBecause } from '../../session';

/** Exchanges a key of the admin API for a session. The requested address does not change. */
export default function SignIn(): VNode {
  const { isRunning, error, run } = useTask(signIn);
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
        <Field label="Key" hint="A key of the admin API, with any role. The console does not store it.">
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
