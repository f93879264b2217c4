import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { openDialogs, saveFocus } from '../keyboard';

export interface DialogProps {
  readonly title: string;
  /** Escape, the closing button, or a click beside it. */
  readonly onClose: () => void;
  /** Whether none of these closes it: what it shows, or waits for, would be lost. */
  readonly isHeld?: boolean;
  readonly children: ComponentChildren;
}

/**
 * A native modal dialog, open for as long as it is drawn. What had the focus before has it again afterwards; where that is
 * gone or hidden by then, the view has it.
 */
export function Dialog({ title, onClose, isHeld = false, children }: DialogProps): VNode {
  const box = useRef<HTMLDialogElement>(null);
  const isPressedBeside = useRef(false);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    const dialog = box.current;
    dialog?.showModal();
    openDialogs.value = openDialogs.peek() + 1;
    return () => {
      // While it is modal nothing beside it takes the focus.
      dialog?.close();
      openDialogs.value = openDialogs.peek() - 1;
      // Once what is being drawn stands.
      queueMicrotask(() => giveFocus(before));
    };
  }, []);
  const leave = () => {
    if (!isHeld) onClose();
  };
  return (
    <dialog
      ref={box}
      class="dialog"
      aria-labelledby={heading}
      // Chrome lets the event below hold one Escape back, and not a second one.
      closedby={isHeld ? 'none' : undefined}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === box.current;
      }}
      onClick={(event) => {
        // What is marked in the dialog, and let go of beside it, ends in a click there.
        if (isPressedBeside.current && event.target === box.current) leave();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={heading}>{title}</h2>
          {isHeld ? null : (
            <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
              ✕
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** What had it may go only once what it was for is drawn as done: the view has the focus then. */
function giveFocus(before: Element | null): void {
  if (!(before instanceof HTMLElement) || before === document.body || !takesFocus(before)) {
    saveFocus();
    return;
  }
  const leave = () => {
    watch.disconnect();
    if (!before.isConnected) saveFocus();
  };
  const watch = new MutationObserver(() => {
    if (!before.isConnected) leave();
  });
  watch.observe(document.body, { childList: true, subtree: true });
  before.addEventListener('blur', () => queueMicrotask(leave), { once: true });
}

/** Not where it is gone, or hidden: a button of a menu that has closed for the dialog. */
function takesFocus(element: HTMLElement): boolean {
  element.focus();
  return document.activeElement === element;
}
