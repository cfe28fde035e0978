// `node dev/stand-ins/paypal/rest/check-against-openapi.mjs DIR`: see ../README.md.
import '../../../tools/register-swc.mjs';

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('Name the folder of the OpenAPI files.');
  process.exit(2);
}
const { checkAgainstOpenApi } = await import('./openapi/check.ts');
process.exitCode = (await checkAgainstOpenApi(folder, console.log)) ? 0 : 1;
