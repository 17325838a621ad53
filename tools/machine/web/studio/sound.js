// The sound as the audio thread takes it: samples arrive by message, silence fills gaps, and the fill is told now and then.
class Sid extends AudioWorkletProcessor {
  constructor() {
    super();
    this.ring = new Float32Array(65536);
    this.read = this.write = this.told = 0;
    this.port.onmessage = ({ data }) => {
      // More than a quarter of a second ahead is late sound: it is dropped.
      if (this.write - this.read > sampleRate / 4) this.read = this.write - Math.floor(sampleRate / 25);
      for (let at = 0; at < data.length; at++) this.ring[this.write++ & 65535] = data[at] / 32768;
    };
  }
  process(_, [[out]]) {
    for (let at = 0; at < out.length; at++) out[at] = this.read < this.write ? this.ring[this.read++ & 65535] : 0;
    if (++this.told % 64 === 0) this.port.postMessage(this.write - this.read);
    return true;
  }
}
registerProcessor("sid", Sid);
