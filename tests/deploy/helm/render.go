// Renders a Helm chart with what Helm itself is made of: Go's text/template and Sprig, both from Debian (golang-go,
// golang-github-masterminds-sprig-dev, golang-k8s-sigs-yaml-dev). Reads the request as JSON: {"chart": folder, "release": name, "values": {...}};
// the values are complete. Prints the manifests.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	var request struct {
		Chart, Release string
		Values         map[string]interface{}
	}
	check(json.NewDecoder(os.Stdin).Decode(&request))
	var chart struct{ Name, Version, AppVersion string }
	text, err := os.ReadFile(filepath.Join(request.Chart, "Chart.yaml"))
	check(err)
	check(yaml.Unmarshal(text, &chart))

	// Helm's settings: a missing key is empty, not "<no value>"; `include` and `toYaml` are its own functions.
	all := template.New("").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		out, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(out), "\n"), err
	}
	all.Funcs(functions)
	files, err := filepath.Glob(filepath.Join(request.Chart, "templates", "*"))
	check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		check(err)
	}
	data := map[string]interface{}{
		"Values":  request.Values,
		"Chart":   map[string]interface{}{"Name": chart.Name, "Version": chart.Version, "AppVersion": chart.AppVersion},
		"Release": map[string]interface{}{"Name": request.Release, "Namespace": "default", "Service": "Helm"},
	}
	for _, file := range files {
		if !strings.HasSuffix(file, ".yaml") && filepath.Base(file) != "NOTES.txt" {
			continue
		}
		var out bytes.Buffer
		check(all.ExecuteTemplate(&out, filepath.Base(file), data))
		if strings.Contains(out.String(), "<no value>") {
			check(fmt.Errorf("%s: a value is missing", file))
		}
		if strings.HasSuffix(file, ".yaml") {
			fmt.Println(out.String())
		}
	}
}
