import samples from '../../../../docs/guides/integrate.md';
import { useState } from 'preact/hooks';
import { Code } from '../common/facts';

/** How a receiver verifies that an event is from dueday. */
export function Signature() {
  const [shown, show] = useState(0);
  return (
    <details class="panel">
      <summary>How to verify the signature of an event</summary>
      <p>
        Each request is signed with the endpoint’s secret. Verify the body as it came, before it is parsed, answer 2xx
        within 15 seconds, and do the work afterwards. <a href="/docs/guides/integrate">The guide</a> has the whole
        program.
      </p>
      <div class="segments" role="group" aria-label="Language">
        {samples.map(({ language }, index) => (
          <button key={language} type="button" aria-pressed={index === shown} onClick={() => show(index)}>
            {language}
          </button>
        ))}
      </div>
      <Code text={samples[shown]?.code ?? ''} what="the sample" />
    </details>
  );
}
