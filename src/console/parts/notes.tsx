import type { ComponentChildren, VNode } from 'preact';
import { ApiError } from '../client';

/** What went wrong, in the API's own words. */
export function ErrorNote({ error }: { readonly error: unknown }): VNode {
  return (
    <div class="note note-error" role="alert">
      <p>
        <span aria-hidden="true">⚠ </span>
        {error instanceof Error ? error.message : String(error)}
      </p>
      {error instanceof ApiError && error.faults.length > 0 ? (
        <ul>
          {error.faults.map(({ path, message }) => (
            <li key={path}>{path === '' ? message : `${path}: ${message}`}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** @param what that is on its way, such as `subscriptions` */
export function Loading({ what }: { readonly what: string }): VNode {
  return (
    <p class="note note-quiet" role="status">
      Reading {what} …
    </p>
  );
}

/** What stands where there is nothing to show. */
export function Empty({ children }: { readonly children: ComponentChildren }): VNode {
  return <p class="note note-quiet">{children}</p>;
}
