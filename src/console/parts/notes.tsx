import { Inbox } from 'lucide-preact';
import type { ComponentChildren, VNode } from 'preact';
import { ApiError } from '../client';
import { may } from '../session';

/** What went wrong, in the API's own words wherever they are of use on a page. */
export function ErrorNote({ error }: { readonly error: unknown }): VNode {
  return (
    <div class="note note-error" role="alert">
      <p>
        <span aria-hidden="true">⚠ </span>
        {error instanceof ApiError && error.code === 'approval_required' ? <Awaited of={error} /> : wordsOf(error)}
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

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The API tells programs of a header; here the request is kept, and goes out with it by itself. */
function Awaited({ of: { more } }: { readonly of: ApiError }): VNode {
  return (
    <>
      A second person must approve this: approval {String(more['approvalId'])}. Once it is approved,{' '}
      {may('listApprovals') ? (
        <>
          make it in this window, under <a href="/approvals">Approvals</a>.
        </>
      ) : (
        'make the same request again in this window.'
      )}
    </>
  );
}

/** Lines in place of what is being read. @param what that is, such as `subscriptions` */
export function Loading({ what }: { readonly what: string }): VNode {
  return (
    <div class="skeleton" role="status">
      <span class="unseen">Reading {what} …</span>
      <i />
      <i />
      <i />
    </div>
  );
}

/** Says why there is nothing to show, and what to do about it. */
export function Empty({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <div class="empty">
      <Inbox aria-hidden="true" size={24} />
      <p>{children}</p>
    </div>
  );
}
