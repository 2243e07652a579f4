package platen

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

const hello = "^XA^FO50,50^A0N,60^FDHello^FS^FO50,150^BY3^BCN,100^FD12345^FS^XZ"

// What the program draws; PLATEN names it.
func native(t *testing.T, code string, args ...string) []byte {
	t.Helper()
	command := exec.Command(os.Getenv("PLATEN"), append([]string{"render", "-"}, args...)...)
	command.Stdin = strings.NewReader(code)
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func engine(t *testing.T, limits Limits) *Engine {
	t.Helper()
	e, err := New(limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func codeOf(err error) string {
	var failed *Error
	if errors.As(err, &failed) {
		return failed.Code
	}
	return ""
}

func TestTheBytesAreTheProgramsOwn(t *testing.T) {
	first, err := Render([]byte(hello), Options{})
	if err != nil || !bytes.Equal(first, native(t, hello)) {
		t.Fatal("the first call", err)
	}
	e := engine(t, Limits{})
	two := hello + "^XA^FO9,9^GB99,99,9^FS^PQ3^XZ"
	clock := time.Date(2026, 1, 31, 13, 45, 0, 0, time.FixedZone("a zone", 3*3600))
	cases := []struct {
		code   string
		format Format
		o      Options
		args   []string
	}{
		{hello, JPEG, Options{WidthMM: 80, HeightMM: 40, DPMM: 12}, []string{"-f", "jpeg", "--width-mm", "80", "--height-mm", "40", "--dpmm", "12"}},
		{hello, WebP, Options{Grayscale: true, Rotation: 90}, []string{"-f", "webp", "--quality", "grayscale", "--rotation", "90"}},
		{two, PNG, Options{Label: 1, FitSize: true}, []string{"--page", "1", "--size", "auto"}},
		{two, PDF, Options{Printer: true}, []string{"-f", "pdf", "--profile", "printer"}},
		{"^XA^FO9,9^A0N,40^FC%^FD%H:%M^FS^XZ", PNG, Options{Time: clock}, []string{"--time", "2026-01-31T13:45:00"}},
		{"N\nA50,50,0,3,1,1,N,\"epl\"\nP1\n", PNG, Options{Language: "epl"}, []string{"--language", "epl"}},
	}
	for _, c := range cases {
		got, err := e.Render(context.Background(), []byte(c.code), c.format, c.o)
		if err != nil || !bytes.Equal(got, native(t, c.code, c.args...)) {
			t.Errorf("%v: %v", c.args, err)
		}
	}
}

func TestDescribe(t *testing.T) {
	e := engine(t, Limits{})
	d, err := e.Describe(context.Background(), []byte(hello+"^XA^FO9,9^BEN,50^FD123^FS^QQ^XZ"), Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	barcode := d.Labels[0].Elements[1]
	if d.Language != "zpl" || d.WidthPx != 812 || len(d.Labels) != 2 || barcode.Symbology != "code128" || barcode.Decoded == nil || !*barcode.Decoded || barcode.DecodedData != "12345" {
		t.Errorf("%+v", d)
	}
	if !bytes.Equal(d.Labels[0].Data, native(t, hello)) {
		t.Error("the picture differs")
	}
	var codes []string
	for _, finding := range d.Warnings {
		codes = append(codes, finding.Code)
	}
	if found := strings.Join(codes, " "); !strings.Contains(found, "unknown_command") || !strings.Contains(found, "barcode_data") {
		t.Error("findings:", codes)
	}
}

func TestErrors(t *testing.T) {
	e := engine(t, Limits{InputBytes: 1000})
	for _, c := range []struct {
		code, format, want string
		o                  Options
	}{
		{hello, "png", "invalid", Options{DPMM: 1000}},
		{hello, "png", "invalid", Options{Rotation: 45}},
		{hello, "png", "invalid", Options{Rotation: -90}},
		{hello, "png", "invalid", Options{Language: "klingon"}},
		{hello, "png", "invalid", Options{Rules: "nonsense"}},
		{hello, "gif", "not_found", Options{}},
		{hello, "png", "not_found", Options{Label: 1}},
		{hello, "png", "not_found", Options{Label: -1}},
		{"", "png", "not_found", Options{}},
		{strings.Repeat("^XA^XZ", 1000), "png", "limit", Options{}},
	} {
		_, err := e.Render(context.Background(), []byte(c.code), Format(c.format), c.o)
		if codeOf(err) != c.want {
			t.Errorf("%+v: %v, not %s", c.o, err, c.want)
		}
	}
	e.Close()
	if _, err := e.Render(context.Background(), []byte(hello), PNG, Options{}); err != ErrClosed {
		t.Error("closed:", err)
	}
}

func TestAContextEndsACall(t *testing.T) {
	e := engine(t, Limits{ElementsPerLabel: 1000000})
	slow := []byte("^XA" + strings.Repeat("^FO1,1^GC4000,2000^FS", 100000) + "^XZ") // minutes, where nobody ends it
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := e.Render(ctx, slow, PNG, Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if got, err := e.Render(context.Background(), []byte(hello), PNG, Options{}); err != nil || !bytes.Equal(got, native(t, hello)) {
		t.Error("the next call:", err)
	}
}

func TestManyGoroutines(t *testing.T) {
	e := engine(t, Limits{})
	want := native(t, hello)
	var group sync.WaitGroup
	for i := 0; i < 8; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for j := 0; j < 25; j++ {
				if got, err := e.Render(context.Background(), []byte(hello), PNG, Options{}); err != nil || !bytes.Equal(got, want) {
					t.Error("another picture", err)
				}
			}
		}()
	}
	group.Wait()
}

func TestRenderersOfManyCallsAreNotKept(t *testing.T) {
	e := engine(t, Limits{})
	most := runtime.GOMAXPROCS(0)
	var back []func()
	for i := 0; i < most+5; i++ {
		worker, err := e.take()
		if err != nil {
			t.Fatal(err)
		}
		back = append(back, func() { e.give(worker) })
	}
	for _, give := range back {
		give()
	}
	if len(e.idle) != most || e.busy != 0 {
		t.Error(len(e.idle), "are kept,", e.busy, "are busy; expected", most)
	}
	if got, err := e.Render(context.Background(), []byte(hello), PNG, Options{}); err != nil || !bytes.Equal(got, native(t, hello)) {
		t.Error("the next call:", err)
	}
}
