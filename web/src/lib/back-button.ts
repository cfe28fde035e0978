/** Returns true if the router must not see the event. */
type Interceptor = () => boolean;

let interceptor: Interceptor | undefined;

/** Call it before the router starts to listen: listeners of `popstate` are called in the order of registration. */
export function listenBeforeRouter(): void {
  window.addEventListener('popstate', (event) => {
    if (interceptor?.()) event.stopImmediatePropagation();
  });
}

/** Handles Back and Forward before the router. Replaces an earlier interceptor. Returns a function that removes this one. */
export function interceptBackButton(next: Interceptor): () => void {
  interceptor = next;
  return () => {
    if (interceptor === next) interceptor = undefined;
  };
}
