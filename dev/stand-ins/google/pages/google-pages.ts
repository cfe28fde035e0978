import { html } from '../../shared/html.js';
import { createPageRenderer } from '../../shared/page.js';
import { demoIdentities } from '../identities.js';

const page = createPageRenderer({
  name: 'simulated Google',
  stylesheet: '/google.css',
  banner: html`<strong>SIMULATED</strong> This is not Google: you can sign in as anyone, without a password.`,
});

export function chooserPage({ uid, site, fault }: { uid: string; site: string; fault?: string }): string {
  return page(
    'Choose an account',
    html`
      <h1>Choose an account</h1>
      <p class="quiet">to continue to <strong>${site}</strong></p>
      ${fault && html`<p class="alert" role="alert">${fault}</p>`}
      <form method="post" action="/choose/${uid}">
        <ul class="accounts">
          ${demoIdentities.map(
            ({ email, name, emailVerified }) =>
              html`<li>
                <button name="demo" value="${email}">
                  <span>${name}</span>
                  <span class="quiet">${email}${!emailVerified && ', not verified'}</span>
                </button>
              </li>`,
          )}
        </ul>
      </form>
      <form method="post" action="/choose/${uid}" class="card">
        <h2>Another account</h2>
        <p class="field">
          <label for="email">E-mail</label>
          <input id="email" name="email" type="email" autocomplete="off" required maxlength="254" />
        </p>
        <p class="field">
          <label for="name">Name</label>
          <input id="name" name="name" autocomplete="off" maxlength="100" />
        </p>
        <p class="field">
          <label for="subject">Subject</label>
          <input
            id="subject"
            name="subject"
            autocomplete="off"
            maxlength="60"
            aria-describedby="subject-hint"
          />
          <span id="subject-hint" class="quiet"
            >Identifies the account. Leave it empty to derive it from the e-mail.</span
          >
        </p>
        <p class="check">
          <input id="verified" name="verified" type="checkbox" value="yes" checked />
          <label for="verified">Google has verified this address</label>
        </p>
        <p class="buttons"><button class="primary">Continue</button></p>
      </form>
      <form method="post" action="/choose/${uid}">
        <button name="cancel" value="yes" class="plain">Cancel</button>
      </form>
    `,
  );
}

export function frontPage(): string {
  return page(
    'Sign-in',
    html`
      <h1>Simulated Google</h1>
      <p>“Join With Google” on the local site opens this stand-in. Start there.</p>
      <p class="quiet">
        Its configuration is at
        <a href="/.well-known/openid-configuration">/.well-known/openid-configuration</a>.
      </p>
    `,
  );
}

export function refusalPage(sentence: string): string {
  return page(
    'This request failed',
    html`<h1>This request failed</h1>
      <p role="alert">${sentence}</p>`,
  );
}
