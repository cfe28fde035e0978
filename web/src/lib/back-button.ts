/** Returns true if it has handled the event, so that the router must not see it. */
type Interceptor = () => boolean;

let interceptor: Interceptor | undefined;

/**
 * Lets a screen handle Back and Forward before the router. Call it before the router starts to listen: the listeners
 * of `popstate` are called in the order of registration.
 */
export function listenBeforeRouter(): void {
  window.addEventListener('popstate', (event) => {
    if (interceptor?.()) event.stopImmediatePropagation();
  });
}

/** Sets the interceptor, in place of any earlier one. Returns a function that removes it. */
export function interceptBackButton(next: Interceptor): () => void {
  interceptor = next;
  return () => {
    if (interceptor === next) interceptor = undefined;
  };
}
