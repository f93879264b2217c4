import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

export interface DialogProps {
  readonly title: string;
  /** Escape, the closing button, or a click beside it. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/**
 * A native modal dialog, open for as long as it is drawn. What had the focus before has it again afterwards; where that is
 * gone by then, the view has it.
 */
export function Dialog({ title, onClose, children }: DialogProps): VNode {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    const dialog = box.current;
    dialog?.showModal();
    return () => {
      // While it is modal nothing beside it takes the focus.
      dialog?.close();
      // Once what is being drawn stands.
      queueMicrotask(() => giveFocus(before));
    };
  }, []);
  return (
    <dialog
      ref={box}
      class="dialog"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === box.current) onClose();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={heading}>{title}</h2>
          <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** What had it may go only once what it was for is drawn as done: the view has the focus then. */
function giveFocus(before: Element | null): void {
  if (!(before instanceof HTMLElement) || before === document.body) return;
  const leave = () => {
    watch.disconnect();
    if (!before.isConnected && document.activeElement === document.body) document.getElementById('main')?.focus();
  };
  const watch = new MutationObserver(() => {
    if (!before.isConnected) leave();
  });
  watch.observe(document.body, { childList: true, subtree: true });
  before.addEventListener('blur', () => queueMicrotask(leave), { once: true });
  before.focus();
  if (!before.isConnected) leave();
}
