/** What an image holds, as paths within the checkout. */
interface ImagePlan {
  /** Files of ours. */
  readonly files: readonly string[];
  /** Folders of packages. */
  readonly packages: readonly string[];
}

/** Modules of the commands that play the payment service, by command. */
export const LOCAL_COMMANDS: Readonly<Record<'start' | 'demo' | 'sandbox' | 'simulate', string>>;

/**
 * @param root the built checkout
 * @param kept commands of {@link LOCAL_COMMANDS} that the image has; none where left out
 * @throws RangeError for a command that is none of them, Error where the build or a package is missing
 */
export function planImage(root: string, kept?: readonly string[]): ImagePlan;

/** Writes the root of the image into a folder that is empty or not there. */
export function writeImage(root: string, into: string, kept?: readonly string[]): ImagePlan;
