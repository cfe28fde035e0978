/** True when it has dealt with the event, and the router shall not hear of it. */
type Interceptor = () => boolean;

let interceptor: Interceptor | undefined;

/**
 * Lets a screen come before the router when somebody goes back or forward. Called before the router starts to listen: what is dispatched
 * at the window itself reaches its listeners in the order of their registration, capturing or not.
 */
export function listenBeforeRouter(): void {
  window.addEventListener('popstate', (event) => {
    if (interceptor?.()) event.stopImmediatePropagation();
  });
}

/** One at a time. Gives what ends it. */
export function interceptBackButton(next: Interceptor): () => void {
  interceptor = next;
  return () => {
    if (interceptor === next) interceptor = undefined;
  };
}
