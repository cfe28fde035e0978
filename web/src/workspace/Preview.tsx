import { type ReactNode, Suspense, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import type { SectionName } from '#libs/content-model';
import { type Site, SiteContext, usePageData } from '../lib/site.js';

interface PreviewProps {
  section: SectionName;
  /** In place of the stored record with its id, or beside the others. */
  record: { _id: string };
  /** Selector of the element to look at first. */
  at: string;
  /** A public page. */
  children: ReactNode;
}

/** From here on there is room beside a form. */
const wide = '(width >= 1100px)';

function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(wide);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(wide).matches,
    () => false,
  );
}

export function Preview(props: PreviewProps) {
  return useWide() ? <PreviewFrame {...props} /> : null;
}

/**
 * A public page with what is typed in place of what is stored, smaller than life. It stands in a frame of its own, so that it is laid
 * out for the width of a window and its ids are its own; nothing in it can be clicked or reached.
 */
function PreviewFrame({ section, record, at, children }: PreviewProps) {
  const [body, setBody] = useState<HTMLElement>();
  const [phone, setPhone] = useState(false);
  const data = usePageData();
  const site = useMemo(() => {
    const records = ((data.site as Record<string, { _id: string }[]>)[section] ?? []).slice();
    const place = records.findIndex(({ _id }) => _id === record._id);
    records[place < 0 ? records.length : place] = record;
    return {
      data: { ...data, site: { ...data.site, [section]: records } as Site },
      refresh: () => undefined,
    };
  }, [data, section, record]);
  return (
    <section className="preview" aria-label="Preview">
      <div className="preview__head">
        <h2>Preview</h2>
        <div className="segments">
          <button type="button" aria-pressed={!phone} onClick={() => setPhone(false)}>
            Desktop
          </button>
          <button type="button" aria-pressed={phone} onClick={() => setPhone(true)}>
            Phone
          </button>
        </div>
      </div>
      <div className={phone ? 'preview__window preview__window--phone' : 'preview__window'}>
        <iframe
          title="How visitors will see it"
          tabIndex={-1}
          srcDoc="<!doctype html><html lang='en'><body inert></body></html>"
          onLoad={({ currentTarget }) => setBody(currentTarget.contentDocument?.body)}
        />
      </div>
      {body &&
        createPortal(
          <SiteContext value={site}>
            <Suspense>
              {children}
              <Dressed body={body} at={at} />
            </Suspense>
          </SiteContext>,
          body,
        )}
    </section>
  );
}

/** Comes with the page, and brings the styles that came with it. */
function Dressed({ body, at }: { body: HTMLElement; at: string }) {
  useEffect(() => {
    const { ownerDocument: target } = body;
    const aim = () => {
      const view = target.defaultView;
      const element = body.querySelector(at);
      if (view && element) view.scrollTo(0, view.scrollY + element.getBoundingClientRect().top);
    };
    for (const link of document.head.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
      if (!target.head.querySelector(`link[href="${link.getAttribute('href')}"]`))
        target.head.append(link.cloneNode());
    }
    // Styles and pictures arrive one by one, and what is typed moves the rest; until somebody looks around themselves.
    const sizes = new ResizeObserver(aim);
    sizes.observe(body);
    const stop = () => sizes.disconnect();
    target.addEventListener('wheel', stop, { once: true, passive: true });
    return stop;
  }, [body, at]);
  return null;
}
