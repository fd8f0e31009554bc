// SPDX-License-Identifier: Apache-2.0
// Puts sources and libraries into one page, dist/viewer.html, with the licences of the libraries. With --check it only tells
// whether that page is there already.
import {build} from 'esbuild';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';

const licence = name => readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim();
const notices = ['three', 'uplot'].map(name => {
  const {version} = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  return `${name} ${version}\n\n${licence(name)}`;
}).join('\n\n----\n\n');

const bundle = async (entry, loader) => {
  const out = await build({entryPoints: [entry], bundle: true, minify: true, format: 'iife', target: 'es2020', charset: 'utf8',
                           legalComments: 'none', write: false, loader});
  return out.outputFiles[0].text;
};
const script = (await bundle('src/main.js', {})).replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const style = await bundle('src/all.css', {});
const notice = `\n/*\nThis page holds parts of the following works.\n\n${notices}\n*/\n`;
const page = readFileSync('src/index.html', 'utf8')
  .replace('/*style*/', () => style)
  .replace('/*script*/', () => notice + script);
if (process.argv[2] === '--check') {
  const same = readFileSync('dist/viewer.html', 'utf8') === page;
  console.log(`dist/viewer.html is ${same ? '' : 'not '}what the sources give`);
  process.exitCode = same ? 0 : 1;
} else {
  mkdirSync('dist', {recursive: true});
  writeFileSync('dist/viewer.html', page);
  console.log(`dist/viewer.html: ${(page.length / 1e3).toFixed(0)} kB`);
}
