/** Markup that is safe to send. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | Html[] | string | number | null | undefined | false;

/** A template whose values are escaped, unless they are markup themselves. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(
    strings.map((text, index) => text + (index < parts.length ? render(parts[index]) : '')).join(''),
  );
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (Array.isArray(part)) return part.map(render).join('');
  if (part instanceof Html) return part.text;
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export interface PageOptions {
  title: string;
  body: Html;
  /** Wide, for tables. */
  wide?: boolean;
}

export function page({ title, body, wide = false }: PageOptions): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – PayPal simulator</title>
        <link rel="stylesheet" href="/paypal.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <header class="banner">
          <p><strong>SIMULATED</strong> This is not PayPal: no money moves, and no real card is taken.</p>
        </header>
        <main class="${wide ? 'wide' : 'narrow'}">${body}</main>
      </body>
    </html> `.text;
}
