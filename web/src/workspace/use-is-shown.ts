import { type RefObject, useEffect, useRef } from 'react';

/** `current` is false once the component is gone: an answer that comes later must not change what the person sees now. */
export function useIsShown(): RefObject<boolean> {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  return isShown;
}
