import type { WaitingRequest } from '../../approvals';
import { type Answer, sendApproved } from '../../client';
import { asText, words } from '../../format';
import { Confirm, Dialog } from '../../parts';
import { useInvalidation } from '../../stream';
import { type Fact, Facts, Id } from '../common/facts';
import { pathTo } from '../common/address';
import type { Approval } from '../common/schemas';
import { RequestDetails } from './request-details';

/** An approved request and its approval. */
export interface Approved {
  readonly approval: Approval;
  readonly request: WaitingRequest;
}

interface SendApprovedProps {
  readonly of: Approved;
  readonly onSent: (answer: Answer) => void;
  readonly onClose: () => void;
}

/** Rendered outside the list: the row may leave the list before the response arrives. */
export function SendApproved({ of: { approval, request }, onSent, onClose }: SendApprovedProps) {
  const invalidate = useInvalidation(['approvals']);
  return (
    <Confirm
      title="Send an approved request"
      action="Send this request"
      isGrave
      consequences={
        <>
          <p>The request is sent once, exactly as it was approved:</p>
          <RequestDetails of={approval} />
        </>
      }
      run={async () => {
        onSent(await sendApproved(request));
        await invalidate();
      }}
      onClose={onClose}
    />
  );
}

interface SentProps {
  readonly answer: Answer;
  readonly onClose: () => void;
}

/** The response. Only its button closes it: a new key is shown nowhere else. */
export function Sent({ answer, onClose }: SentProps) {
  return (
    <Dialog title="The request was sent" onClose={onClose} isHeld>
      {'key' in answer ? <p>This key is shown only once. Copy it and store it safely.</p> : null}
      <Facts of={Object.entries(answer).map(factOf)} />
      <footer>
        <button type="button" class="main" onClick={onClose}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}

function factOf([name, value]: readonly [string, unknown]): Fact {
  if (name === 'jobId' && typeof value === 'string') return ['job', <Id of={value} to={pathTo('jobs', value)} />];
  return [words(name), asText(value)];
}
