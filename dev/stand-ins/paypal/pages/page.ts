import { html } from '../../shared/html.js';
import { createPageRenderer } from '../../shared/page.js';

export const page = createPageRenderer({
  name: 'PayPal simulator',
  stylesheet: '/paypal.css',
  banner: html`<strong>SIMULATED</strong> This is not PayPal: no money moves, and no real card is taken.`,
});
