import { Inbox } from 'lucide-preact';
import type { ComponentChildren, VNode } from 'preact';
import { ApiError } from '../client';
import { explain } from '../explain';
import { withAmounts } from '../format';
import { may } from '../session';

interface ErrorNoteProps {
  readonly error: unknown;
  /** Whether a dialog's action failed, which can be repeated there. */
  readonly isChange?: boolean;
}

/** What went wrong, with the API's own text where that suits a page. */
export function ErrorNote({ error, isChange = false }: ErrorNoteProps): VNode {
  return (
    <div class="note note-error" role="alert">
      <p>
        <span aria-hidden="true">⚠ </span>
        {error instanceof ApiError && error.code === 'approval_required' ? (
          <ApprovalNeeded of={error} />
        ) : (
          wordsOf(error, isChange)
        )}
      </p>
      {error instanceof ApiError && error.faults.length > 0 ? (
        <ul>
          {error.faults.map(({ path, message }) => (
            <li key={path}>{withAmounts(path === '' ? message : `${path}: ${message}`)}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function wordsOf(error: unknown, isChange: boolean): string {
  if (error instanceof ApiError) return explain(error, isChange);
  return error instanceof Error ? error.message : String(error);
}

/** The API's own text explains a header to programs; the console stores the request and adds the header itself. */
function ApprovalNeeded({ of: { more } }: { readonly of: ApiError }): VNode {
  return (
    <>
      A second person must approve this (approval {String(more['approvalId'])}). Once it is approved,{' '}
      {may('listApprovals') ? (
        <>
          send it from this window, under <a href="/approvals">Approvals</a>.
        </>
      ) : (
        'repeat the action in this window.'
      )}
    </>
  );
}

/** A placeholder during loading. @param what is loading, such as `subscriptions` */
export function Loading({ what }: { readonly what: string }): VNode {
  return (
    <div class="skeleton" role="status">
      <span class="unseen">Loading {what} …</span>
      <i />
      <i />
      <i />
    </div>
  );
}

/** Says why there is nothing to show, and what to do. */
export function Empty({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <div class="empty">
      <Inbox aria-hidden="true" size={24} />
      <p>{children}</p>
    </div>
  );
}
