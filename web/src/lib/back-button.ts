/** Returns true if the router must not see the event. */
type Interceptor = () => boolean;

const interceptors: Interceptor[] = [];

/** Call it before the router starts to listen: listeners of `popstate` are called in the order of registration. */
export function listenForBackButtonBeforeRouter(): void {
  window.addEventListener('popstate', (event) => {
    if (interceptors.at(-1)?.()) event.stopImmediatePropagation();
  });
}

/** Handles Back and Forward before the router. Only the newest interceptor is asked. Returns a function that removes this one. */
export function interceptBackButton(interceptor: Interceptor): () => void {
  interceptors.push(interceptor);
  return () => void interceptors.splice(interceptors.indexOf(interceptor), 1);
}
