import type { Kept } from '../../approvals';
import { type Answer, makeApproved } from '../../client';
import { words } from '../../format';
import { Confirm, Dialog } from '../../parts';
import { useInvalidation } from '../../stream';
import { type Fact, Facts, Id } from '../common/facts';
import { pathTo } from '../common/paths';
import type { Approval } from '../common/schemas';
import { Asked, said } from './asked';

/** A request that was approved, and what is shown of it. */
export interface Approved {
  readonly approval: Approval;
  readonly kept: Kept;
}

interface MakeNowProps {
  readonly of: Approved;
  readonly onMade: (answer: Answer) => void;
  readonly onClose: () => void;
}

/** Beside the list: the row may be gone from it before the answer has come. */
export function MakeNow({ of: { approval, kept }, onMade, onClose }: MakeNowProps) {
  const invalidate = useInvalidation(['approvals']);
  return (
    <Confirm
      title="Make an approved request"
      action="Make this request"
      isGrave
      consequences={
        <>
          <p>It is made as it was asked for, and once:</p>
          <Asked of={approval} />
        </>
      }
      run={async () => {
        onMade(await makeApproved(kept));
        await invalidate();
      }}
      onClose={onClose}
    />
  );
}

interface MadeProps {
  readonly answer: Answer;
  readonly onClose: () => void;
}

/** What the API answered. Nothing but its button closes it: a new key is shown nowhere else. */
export function Made({ answer, onClose }: MadeProps) {
  return (
    <Dialog title="The request was made" onClose={onClose} isHeld>
      {'key' in answer ? <p>The key is shown this once: copy it to where it is kept safe.</p> : null}
      <Facts of={Object.entries(answer).map(answered)} />
      <footer>
        <button type="button" class="main" onClick={onClose}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}

function answered([name, value]: readonly [string, unknown]): Fact {
  if (name === 'jobId' && typeof value === 'string') return ['job', <Id of={value} to={pathTo('bulk', value)} />];
  return [words(name), said(value)];
}
